import Entitlements

/// What goes wrong with the Server API, as a test wishes it.
struct APIFault: Sendable, Hashable {
    /// The ways to fail.
    enum Kind: String, Sendable, Hashable, CaseIterable {
        /// An error of a status: 401 without a body, 429 with `Retry-After`, 502 to 504 with HTML as a proxy has it.
        case status
        /// 200 with HTML.
        case html
        /// 200 with JSON that is cut off.
        case cut
        /// No answer, ever.
        case timeout
        /// The right answer, late.
        case slow
        /// Histories that say for ever that there is more, and repeat their page.
        case endlessPaging
    }

    var kind = Kind.status
    /// The HTTP status of an error.
    var status: Int64 = 500
    /// Apple's code of the error; nil: one that fits the status.
    var code: Int64?
    /// How often, from 0 to 1.
    var rate = 1.0
    /// How many more times; nil: until it is taken back.
    var count: Int64?
    /// How late, or how long to wait after 429.
    var delay: Milliseconds = 1000

    /// Apple's code.
    var errorCode: Int64 {
        if let code { return code }
        return switch status {
        case 429: ServerAPIError.rateLimit.code
        case 500: 5_000_001
        default: status * 10_000
        }
    }

    /// Whether a proxy in between would have answered.
    var isOfProxy: Bool { 502...504 ~= status && code == nil }
}
