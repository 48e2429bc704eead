/// Why the server itself refused a request: the body of an `application/problem+json` answer (RFC 9457).
struct HTTPProblem: Error, Equatable {
    let status: Int
    /// Stable, for programs.
    let code: String
    let title: String
    /// What is wrong with this request and what to do; a sentence of ours, never bytes of the client's.
    let detail: String
    /// Seconds the client should stay away, if it should.
    var retryAfter: Int?

    static func malformed(_ detail: String) -> HTTPProblem {
        HTTPProblem(status: 400, code: "malformedRequest", title: "Malformed request", detail: detail)
    }

    static func headerTooLarge(limit: Int) -> HTTPProblem {
        HTTPProblem(
            status: 431, code: "headerTooLarge", title: "Request header too large",
            detail: "The request line and headers may be \(limit) bytes long.")
    }

    static func bodyTooLarge(limit: Int) -> HTTPProblem {
        HTTPProblem(
            status: 413, code: "bodyTooLarge", title: "Request body too large",
            detail: "A request body may be \(limit) bytes long; send less at a time.")
    }

    static let requestTimeout = HTTPProblem(
        status: 408, code: "requestTimeout", title: "Request too slow",
        detail: "The request did not arrive in time; send it again in one go.")

    static let expectationFailed = HTTPProblem(
        status: 417, code: "expectationFailed", title: "Expectation not supported",
        detail: "The only expectation this server can meet is 100-continue.")

    static let versionNotSupported = HTTPProblem(
        status: 505, code: "versionNotSupported", title: "HTTP version not supported",
        detail: "This server speaks HTTP/1.1.")

    static func overloaded(retryAfter: Int) -> HTTPProblem {
        HTTPProblem(
            status: 503, code: "overloaded", title: "Too many connections",
            detail: "The server has as many connections as it can hold; come back after Retry-After seconds.",
            retryAfter: retryAfter)
    }

    /// The answer to send. The connection always closes: what follows a refused request cannot be trusted.
    var response: HTTPResponse {
        var headers = [HTTPResponse.Header("Content-Type", "application/problem+json")]
        if let retryAfter { headers.append(HTTPResponse.Header("Retry-After", String(retryAfter))) }
        // Plain concatenation is safe: every text here is a literal of this file or of the parser, without quotes.
        let json =
            #"{"type":"about:blank","title":"\#(title)","status":\#(status),"code":"\#(code)","detail":"\#(detail)"}"#
        return HTTPResponse(status: status, headers: headers, body: Array(json.utf8), closesConnection: true)
    }
}
