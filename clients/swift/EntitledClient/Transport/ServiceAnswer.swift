import Entitlements

/// An answer sorted by what it means for the client. Whatever does not look like the service's own writing (a captive
/// portal's page, a proxy's error) counts as no answer.
enum ServiceAnswer: Sendable, Equatable {
    /// 200 with a JWS, not judged yet.
    case signed(String)
    /// 200 with JSON.
    case object(JSONObject)
    /// 204: nothing newer, and where to go on.
    case unchanged(cursor: String)
    /// A refusal.
    case problem(status: Int, code: String, detail: String)
    /// 401.
    case unauthorized
    /// Nobody, or not the service.
    case unreachable

    init(_ response: TransportResponse) {
        let type = response.headers["content-type"]?.split(separator: ";").first.map { $0.lowercased() } ?? ""
        switch response.status {
        case 200 where type == Media.signed:
            self = .signed(String(decoding: response.body, as: UTF8.self))
        case 200 where type == Media.json:
            self = Self.object(response.body).map(ServiceAnswer.object) ?? .unreachable
        case 204:
            // Portals like to answer 204 as well; the service's names a cursor.
            self = response.headers["entitlement-cursor"].map(ServiceAnswer.unchanged) ?? .unreachable
        case 401 where type == Media.problem: self = .unauthorized
        case 400... where type == Media.problem:
            let problem = Self.object(response.body)
            self = .problem(
                status: response.status, code: problem?["code"]?.stringValue ?? "http\(response.status)",
                detail: problem?["detail"]?.stringValue ?? problem?["title"]?.stringValue ?? "the service refused")
        case 429,
            500...599 where response.status != 511:
            self = .problem(
                status: response.status, code: "http\(response.status)", detail: "the service is not available")
        default: self = .unreachable
        }
    }

    private static func object(_ body: [UInt8]) -> JSONObject? {
        (try? JSONValue(parsing: body, limits: JSONLimits(bytes: 4 << 20)))?.objectValue
    }
}

/// What an answer's headers ask of the client.
struct AnswerPace: Sendable, Equatable {
    /// The longer of `Retry-After` (seconds) and `Entitlement-Backoff-Ms`.
    let pause: Milliseconds
    /// `Connection: close`.
    let closes: Bool

    /// A service that asks for more than this is asked again after it.
    static let longestPause: Milliseconds = 3_600_000

    init(_ headers: [String: String]) {
        // Retry-After as a date is not in the protocol, and a date would need a clock that is right.
        let seconds = headers["retry-after"].flatMap(Milliseconds.init).map { min(max($0, 0), 3_600) * 1000 } ?? 0
        let milliseconds = headers["entitlement-backoff-ms"].flatMap(Milliseconds.init) ?? 0
        pause = min(max(seconds, milliseconds, 0), Self.longestPause)
        closes = headers["connection"]?.lowercased().contains("close") ?? false
    }
}
