/// A complete request that passed the strict check of ``HTTPServer``.
public struct HTTPRequest: Sendable {
    /// As sent, with case: `GET`.
    public let method: String
    /// The request target as sent, still encoded: `/v1/accounts/a%20b?wait=50`.
    public let target: String
    /// The path of the target, still encoded; begins with a slash (or is `*`).
    public let path: String
    /// The decoded query; empty if there is none.
    public let query: HTTPQuery
    /// All header fields.
    public let headers: HTTPHeaders
    /// The body, without transfer coding; empty if there is none.
    public let body: [UInt8]
    /// The numeric address of the peer, without port.
    public let remoteAddress: String
    /// The loop of the connection: handlers are called here, and answers are sent from here.
    public let loop: EventLoop

    init(head: RequestHead, body: [UInt8], remoteAddress: String, loop: EventLoop) {
        method = head.method
        target = head.target
        path = head.path
        query = head.query
        headers = head.headers
        self.body = body
        self.remoteAddress = remoteAddress
        self.loop = loop
    }

    /// The path cut at its slashes, each piece decoded: `/v1/a%2Fb/` is `["v1", "a/b", ""]`.
    public var pathSegments: [String] {
        path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            // Every escape was checked when the head was parsed; a wrong one cannot get here.
            PercentEncoding.decode(Array($0)[...], plusIsSpace: false) ?? ""
        }
    }
}
