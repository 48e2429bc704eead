public import Entitlements

/// Why a call of the App Store Server API gave nothing, and what is to be done about it.
public struct ServerAPIError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong, as a closed set.
    public enum Code: String, Sendable, Hashable {
        /// Apple answered with an error code.
        case refused
        /// 401: the token, and so key, key id, issuer, bundle id or this machine's clock.
        case unauthorized
        /// 429.
        case rateLimited
        /// A status of 500 and above, or one that the API does not have.
        case unavailable
        /// What came is not JSON, such as a proxy's page, or not of the form that it should have.
        case unreadable
        /// No answer came.
        case noAnswer
        /// The token cannot be signed with the key.
        case key
    }

    /// What the caller should do.
    public enum Remedy: Sendable, Hashable {
        /// Ask again later.
        case retry
        /// Ask this endpoint again from then on, and not before.
        case wait(until: Milliseconds)
        /// The transaction is not in this environment: it may be in the other one (server-api, section 6).
        case otherEnvironment
        /// Begin the paging anew.
        case restartPaging
        /// Nothing comes of asking before an operator has mended something.
        case operatorMust
        /// Never ask this again.
        case giveUp
    }

    /// What went wrong.
    public let code: Code
    /// The HTTP status, if there was an answer.
    public let status: Int?
    /// Apple's error code.
    public let appleCode: Int64?
    /// For people; holds no secret.
    public let message: String
    /// What to do.
    public let remedy: Remedy

    init(_ code: Code, status: Int? = nil, appleCode: Int64? = nil, _ message: String, _ remedy: Remedy) {
        self.code = code
        self.status = status
        self.appleCode = appleCode
        self.message = message
        self.remedy = remedy
    }

    /// A stable name for counting and for operators: `refused:4040010`, `unauthorized`, …
    public var label: String { appleCode.map { "\(code.rawValue):\($0)" } ?? code.rawValue }
    /// Name and sentence.
    public var description: String { "\(label): \(message)" }

    static func unreadable(_ what: String, status: Int? = nil) -> ServerAPIError {
        ServerAPIError(.unreadable, status: status, what, .retry)
    }
}

extension ServerAPIError {
    /// What an answer of an unwelcome status means. `now` bounds what Retry-After may ask for.
    init(_ answer: ReceivedAnswer, now: Milliseconds) {
        let object = (try? JSONValue(parsing: answer.body, limits: JSONLimits(bytes: 1 << 20)))?.objectValue
        let appleCode = object?["errorCode"]?.integerValue
        let text = Self.printable(object?["errorMessage"]?.stringValue)
        switch answer.status {
        case 401:
            self.init(
                .unauthorized, status: 401,
                "the App Store does not accept the key: check key id, issuer id, bundle id, that it is an In-App "
                    + "Purchase key that was not revoked, and this machine's clock (`entitled doctor`)",
                .operatorMust)
        case 429:
            let until = Self.retryTime(answer.header("Retry-After"), now: now)
            self.init(
                .rateLimited, status: 429, appleCode: appleCode,
                "too many calls; asked to wait until "
                    + Time.text(until), .wait(until: until))
        case let status:
            guard let appleCode else {
                self.init(
                    .unavailable, status: status, "the answer has status \(status) and no error code of Apple's",
                    .retry)
                return
            }
            self.init(
                .refused, status: status, appleCode: appleCode, text ?? "no message", Self.remedy(appleCode))
        }
    }

    /// The most that Retry-After may ask for: a wrong one must not stop the service for years.
    static let longestWait: Milliseconds = 3_600_000
    private static let usualWait: Milliseconds = 60_000

    /// Apple sends a UNIX time in milliseconds, others the seconds to wait (server-api, section 5).
    static func retryTime(_ header: String?, now: Milliseconds) -> Milliseconds {
        guard let header, let value = Milliseconds(header.filter { $0 != " " }), value >= 0 else {
            return now + usualWait
        }
        if Time.plausible ~= value { return min(max(value, now + 1000), now + longestWait) }
        return value <= longestWait / 1000 ? now + max(value, 1) * 1000 : now + longestWait
    }

    private static func remedy(_ appleCode: Int64) -> Remedy {
        switch appleCode {
        case 4_040_002, 4_040_004, 4_040_006, 5_000_000, 5_000_001: .retry
        case 4_040_005, 4_040_010: .otherEnvironment
        case 4_000_005, 4_000_014, 4_000_017: .restartPaging
        case 4_000_002, 4_040_003, 4_040_007: .operatorMust
        case 5_000_000...: .retry
        default: .giveUp
        }
    }

    /// Apple's sentence without anything that could disturb a terminal.
    private static func printable(_ text: String?) -> String? {
        text.map {
            String(
                String.UnicodeScalarView($0.unicodeScalars.prefix(200).filter { $0.value >= 0x20 && $0.value != 0x7F }))
        }
    }
}
