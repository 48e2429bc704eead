import Entitlements
import EventLoop

/// A refusal on its way to the caller (RFC 9457): a code, and what is special about this case.
struct Problem: Error, Sendable, Equatable {
    let code: ProblemCode
    /// What is wrong with this request; a sentence of ours, never bytes of the caller's secrets.
    var detail: String?
    /// Seconds the caller should stay away.
    var retryAfter: Int?
    /// What the path takes, for 405.
    var allowedMethods: [String] = []

    init(_ code: ProblemCode, _ detail: String? = nil, retryAfter: Int? = nil) {
        self.code = code
        self.detail = detail
        self.retryAfter = retryAfter
    }

    var status: Int { code.kind.status }

    /// A wait that spreads the callers, so that they do not all come back at once.
    static var spreadWait: Int { Int.random(in: 5...30) }

    /// The database is away.
    static var databaseAway: Problem { Problem(.databaseUnavailable, retryAfter: spreadWait) }

    /// The answer. `requestID` is what the log has, so that a report can be found.
    func response(requestID: String) -> HTTPResponse {
        let kind = code.kind
        var writer = JSONWriter(capacity: 512)
        writer.object { writer in
            writer.member("type", "urn:entitled:problem:\(code.rawValue)")
            writer.member("title", kind.title)
            writer.member("status", Int64(kind.status))
            writer.member("code", code.rawValue)
            writer.member("detail", [detail ?? kind.meaning, kind.remedy].joined(separator: " "))
            writer.member("requestId", requestID)
        }
        var headers = [
            HTTPResponse.Header("Content-Type", "application/problem+json"),
            HTTPResponse.Header("Cache-Control", "no-store"),
        ]
        if let retryAfter { headers.append(HTTPResponse.Header("Retry-After", String(retryAfter))) }
        if !allowedMethods.isEmpty {
            headers.append(HTTPResponse.Header("Allow", allowedMethods.joined(separator: ", ")))
        }
        if kind.status == 401 {
            let error = code == .missingToken ? "" : #", error="invalid_token""#
            headers.append(HTTPResponse.Header("WWW-Authenticate", #"Bearer realm="entitled""# + error))
        }
        return HTTPResponse(status: kind.status, headers: headers, body: writer.bytes)
    }
}
