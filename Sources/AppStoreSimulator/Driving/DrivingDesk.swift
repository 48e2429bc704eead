import Entitlements
import EventLoop
import Signatures

/// The routes that drive a simulator: `/simulator/…`. For whoever reaches the address, since there is nothing to steal.
struct DrivingDesk {
    let simulator: Simulator

    /// Acts that one request may hold.
    static let maximumActs = 1000

    func answer(_ request: HTTPRequest, _ path: [String]) -> HTTPResponse {
        do {
            switch (request.method, path) {
            case ("GET", ["root.cer"]):
                return HTTPResponse(
                    status: 200, headers: [HTTPResponse.Header("Content-Type", "application/pkix-cert")],
                    body: simulator.authority.root.der)
            case ("GET", ["key"]): return .json(try simulator.key.json())
            case ("POST", ["acts"]): return try act(request)
            case ("GET", ["clock"]): return .json(clock)
            case ("POST", ["clock"]): return .json(try setClock(request))
            case ("GET", ["faults"]): return .json(simulator.faults().json)
            case ("PUT", ["faults"]): return .json(try setFaults(request))
            case ("GET", ["state"]): return .json(try simulator.describe(customer: request.query["customer"]))
            case ("GET", ["device"]): return .json(try device(request))
            case ("POST", ["reset"]):
                simulator.reset()
                return .json(clock)
            default:
                return .problem(
                    404, "unknownPath",
                    "There are GET root.cer, key, clock, faults, state, device; POST acts, clock, reset; PUT faults.")
            }
        } catch let refusal as ActRefusal {
            return Self.refused(refusal)
        } catch {
            return .problem(500, "internal", "The simulator could not sign.")
        }
    }

    private static func refused(_ refusal: ActRefusal) -> HTTPResponse {
        let status =
            switch refusal.code {
            case .malformed: 400
            case .unknown: 404
            case .notAllowed: 409
            }
        return .problem(status, refusal.code.rawValue, refusal.message)
    }

    private func body(_ request: HTTPRequest) throws(ActRefusal) -> JSONValue {
        do {
            return try JSONValue(parsing: request.body, limits: JSONLimits(bytes: 1 << 20, depth: 16))
        } catch {
            throw ActRefusal(.malformed, "the body is not JSON: \(error)")
        }
    }

    private func object(_ request: HTTPRequest) throws(ActRefusal) -> JSONObject {
        guard let object = try body(request).objectValue else {
            throw ActRefusal(.malformed, "the body must be an object")
        }
        return object
    }

    /// All acts are read before the first is done. What one of them does stays when a later one is refused.
    private func act(_ request: HTTPRequest) throws -> HTTPResponse {
        let value = try body(request)
        let values = value.arrayValue ?? [value]
        guard 1...Self.maximumActs ~= values.count else {
            throw ActRefusal(.malformed, "give one act, or a list of up to \(Self.maximumActs)")
        }
        let acts = try values.map { value in
            guard let object = value.objectValue else { throw ActRefusal(.malformed, "an act is an object") }
            return try Act(object)
        }
        var happenings: [SignedHappening] = []
        for act in acts { happenings += try simulator.perform(act) }
        return .json(Self.describe(happenings))
    }

    /// What came of acts, as one object.
    static func describe(_ happenings: [SignedHappening]) -> JSONObject {
        let transactions = happenings.flatMap(\.statements).map { statement -> JSONValue in
            [
                "customer": .string(statement.customer), "transactionId": .string(statement.transactionId),
                "originalTransactionId": .string(statement.originalTransactionId),
                "orderId": .string(statement.orderId), "signedTransaction": .string(statement.signedTransaction),
                "signedRenewalInfo": JSONValue(statement.signedRenewalInfo),
            ]
        }
        let notifications = happenings.flatMap(\.notifications).map { notification -> JSONValue in
            [
                "notificationUUID": .string(notification.notificationUUID),
                "notificationType": .string(notification.type), "subtype": JSONValue(notification.subtype),
                "signedPayload": .string(notification.signedPayload),
            ]
        }
        var object: JSONObject = ["transactions": .array(transactions), "notifications": .array(notifications)]
        if let request = happenings.lazy.compactMap(\.request).first { object["request"] = .string(request) }
        return object
    }

    private var clock: JSONObject {
        let (now, speed) = simulator.clock()
        return ["now": .integer(now), "speed": speed.json]
    }

    private func setClock(_ request: HTTPRequest) throws -> JSONObject {
        let object = try object(request)
        guard object.names.allSatisfy(["advanceMs", "speed"].contains) else {
            throw ActRefusal(.malformed, "a clock takes \"advanceMs\" and \"speed\"")
        }
        if let value = object["speed"] {
            guard let speed = value.double, 0...StoreClock.fastest ~= speed else {
                throw ActRefusal(.malformed, "\"speed\" must be a number from 0 (steps only) to \(StoreClock.fastest)")
            }
            try simulator.setSpeed(speed)
        }
        var answer = JSONObject()
        if let value = object["advanceMs"] {
            guard let span = value.integerValue, 0...StoreClock.longestStep ~= span else {
                throw ActRefusal(.malformed, "\"advanceMs\" must be from 0 to \(StoreClock.longestStep)")
            }
            answer = Self.describe(try simulator.advance(by: span))
        }
        for member in clock.members { answer[member.name] = member.value }
        return answer
    }

    private func setFaults(_ request: HTTPRequest) throws -> JSONObject {
        let faults = try Faults(try object(request))
        simulator.set(faults)
        return faults.json
    }

    /// The body of a push: what the device of a customer would hand over now.
    private func device(_ request: HTTPRequest) throws -> JSONObject {
        guard let customer = request.query["customer"] else {
            throw ActRefusal(.malformed, "say whose device: ?customer=c1")
        }
        let statements = try simulator.device(of: customer)
        var infos: [String] = []
        for info in statements.compactMap(\.signedRenewalInfo) where !infos.contains(info) { infos.append(info) }
        return [
            "signedTransactions": .array(statements.map { .string($0.signedTransaction) }),
            "signedRenewalInfos": .array(infos.map(JSONValue.string)),
        ]
    }
}

extension JSONValue {
    /// A number of either kind.
    var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let number): number.value
        default: nil
        }
    }
}

extension Double {
    /// A whole number as one.
    var json: JSONValue {
        if let whole = Int64(exactly: self) { return .integer(whole) }
        return JSONNumber(self).map(JSONValue.number) ?? .null
    }
}
