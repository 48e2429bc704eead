import Entitlements
import EventLoop

/// A request whose route is known and whose sender may use it.
struct Call: Sendable {
    let request: HTTPRequest
    let ticket: Ticket
    let parameters: PathParameters
    /// Nil on routes for anyone.
    let token: AccessToken?
    /// When it came.
    let now: Milliseconds

    /// Bytes of a reason.
    static let maximumReason = 1024

    /// The account in the path. A route that reads it has it in its pattern, so its absence is a caller's fault only.
    func account() throws(Problem) -> AccountID {
        guard let account = parameters[.account].flatMap(AccountID.init) else {
            throw Problem(.invalidParameter, "The account in the path must be a UUID other than zero.")
        }
        guard !account.isReserved else {
            throw Problem(.invalidParameter, "The account in the path is a UUID of version 8, which is reserved.")
        }
        return account
    }

    /// The bundle id in the path.
    func bundleID() throws(Problem) -> String {
        guard let bundleID = parameters[.bundleId], 1...255 ~= bundleID.utf8.count else {
            throw Problem(.invalidParameter, "The bundle id in the path must have 1 to 255 bytes.")
        }
        return bundleID
    }

    /// A parameter of the query; nil if it is absent. Given twice it has no sense.
    func query(_ name: String) throws(Problem) -> String? {
        let values = request.query.values(of: name)
        guard values.count <= 1 else { throw Problem(.invalidParameter, "The parameter \(name) may be given once.") }
        return values.first
    }

    /// Why something is done, for the record; empty when nobody says.
    func reason() throws(Problem) -> String {
        let reason = try query("reason") ?? ""
        guard reason.utf8.count <= Self.maximumReason, reason.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw Problem(
                .invalidParameter,
                "The parameter reason may have \(Self.maximumReason) bytes and no control characters.")
        }
        return reason
    }

    /// A yes or no of the query; no if it is absent.
    func flag(_ name: String) throws(Problem) -> Bool {
        switch try query(name) {
        case nil, "false": return false
        case "true": return true
        default: throw Problem(.invalidParameter, "The parameter \(name) must be true or false.")
        }
    }

    /// A whole number of the query.
    func integer(_ name: String, in range: ClosedRange<Int64>) throws(Problem) -> Int64? {
        guard let text = try query(name) else { return nil }
        guard let value = Int64(digits: text), range ~= value else {
            throw Problem(
                .invalidParameter,
                "The parameter \(name) must be a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return value
    }

    /// An instant of the query, in milliseconds.
    func instant(_ name: String) throws(Problem) -> Milliseconds? {
        try integer(name, in: 0...Time.latest)
    }

    /// The environment asked about; Production unless the query says otherwise.
    func environment(of served: Set<Environment>) throws(Problem) -> Environment {
        let environment = Environment(rawValue: try query("environment") ?? Environment.production.rawValue)
        guard served.contains(environment) else {
            let names = served.map(\.rawValue).sorted().joined(separator: ", ")
            throw Problem(.invalidParameter, "The parameter environment must be one that the app takes: \(names).")
        }
        return environment
    }

    /// The body as a JSON object.
    func body() throws(Problem) -> JSONObject {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: request.body, limits: JSONLimits(bytes: request.body.count, depth: 32))
        } catch {
            throw Problem(.invalidJSON, "The body is not JSON: \(error).")
        }
        guard let object = value.objectValue else {
            throw Problem(.invalidBody, "The body must be an object, and is \(value.kindName).")
        }
        return object
    }
}

extension JSONValue {
    /// What is written like `80.0`: a whole number to JSON, exact below 2^53.
    fileprivate var wholeNumber: Int64? {
        guard case .number(let number) = self, abs(number.value) < 0x1p53 else { return nil }
        return Int64(exactly: number.value)
    }
}

extension JSONObject {
    /// A text that must be there.
    func requiredText(_ name: String, maximumLength: Int = 256) throws(Problem) -> String {
        guard let text = try text(name, maximumLength: maximumLength) else {
            throw Problem(.invalidBody, "The member \(name) is missing: it must be a string.")
        }
        return text
    }

    /// A text; nil if it is absent or null.
    func text(_ name: String, maximumLength: Int = 256) throws(Problem) -> String? {
        guard let value = self[name], value != .null else { return nil }
        guard let text = value.stringValue, 1...maximumLength ~= text.utf8.count else {
            throw Problem(.invalidBody, "The member \(name) must be a string of 1 to \(maximumLength) bytes.")
        }
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw Problem(.invalidBody, "The member \(name) holds a control character.")
        }
        return text
    }

    /// A whole number; nil if it is absent or null.
    func integer(_ name: String) throws(Problem) -> Int64? {
        guard let value = self[name], value != .null else { return nil }
        guard let integer = value.integerValue ?? value.wholeNumber else {
            throw Problem(.invalidBody, "The member \(name) must be a whole number.")
        }
        return integer
    }
}
