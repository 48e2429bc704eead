import Entitlements
import EventLoop

/// One thing the service does: where, for whom, and how.
struct Route: Sendable {
    /// Who may use a route.
    enum Access: Sendable {
        /// Anyone, without a token.
        case anyone
        /// Bearers of a token of one of these scopes.
        case scopes(Set<Scope>)

        /// Operators of either kind.
        static let operators = Access.scopes([.support, .admin])
    }

    /// What body a route takes.
    enum Body: Sendable {
        /// None; one that comes is ignored.
        case none
        /// JSON; only the App Store may leave the media type out.
        case json(limit: Int, requiresMediaType: Bool)

        /// The bytes it may have at most.
        var limit: Int {
            switch self {
            case .none: 0
            case .json(let limit, _): limit
            }
        }
    }

    /// How a route answers.
    enum Handler: Sendable {
        /// At once, on the loop.
        case immediate(@Sendable (Call) throws(Problem) -> Answer)
        /// After asking the database: counted by the admission control.
        case asynchronous(@Sendable (Call) async throws -> Reply)
    }

    let label: RouteLabel
    let pattern: RoutePattern
    let access: Access
    let body: Body
    let handler: Handler

    init(_ method: String, _ template: StaticString, _ access: Access, body: Body = .none, _ handler: Handler) {
        pattern = RoutePattern(template)
        label = RouteLabel(method: method, template: pattern.template)
        self.access = access
        self.body = body
        self.handler = handler
    }
}

/// What the log and the metrics call a route.
struct RouteLabel: Sendable, Hashable {
    let method: String
    let template: String
}

/// What is sent to the caller, and what the log says besides.
struct Answer: Sendable {
    var response: HTTPResponse
    /// How many items came out how: fixed words only.
    var outcomes: [String: Int] = [:]

    init(_ response: HTTPResponse, outcomes: [String: Int] = [:]) {
        self.response = response
        self.outcomes = outcomes
    }

    /// A JSON answer that nobody may keep.
    static func json(_ bytes: [UInt8], status: Int = 200) -> Answer {
        Answer(
            HTTPResponse(
                status: status,
                headers: [
                    HTTPResponse.Header("Content-Type", "application/json"),
                    HTTPResponse.Header("Cache-Control", "private, no-store"),
                ], body: bytes))
    }

    /// A JSON answer that nobody may keep.
    static func json(_ value: JSONValue, status: Int = 200) -> Answer { json(Array(value.text.utf8), status: status) }
}

/// What a handler hands back.
enum Reply: Sendable {
    /// Send this now.
    case answer(Answer)
    /// The request is held; whoever holds it answers through its ticket.
    case held
}
