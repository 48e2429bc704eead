public import Entitlements

/// One request to the service.
public struct TransportRequest: Sendable, Hashable {
    /// `GET` or `POST`.
    public var method: String
    /// The whole address.
    public var url: String
    /// Names and values.
    public var headers: [String: String]
    /// Nil for a GET.
    public var body: [UInt8]?
    /// How long to wait for the answer, a held one included.
    public var timeout: Milliseconds
    /// More bytes of answer than this are a failure.
    public var answerLimit: Int

    /// A request.
    public init(
        method: String, url: String, headers: [String: String], body: [UInt8]?, timeout: Milliseconds, answerLimit: Int
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.answerLimit = answerLimit
    }
}

/// An answer, whoever wrote it.
public struct TransportResponse: Sendable, Hashable {
    /// The HTTP status.
    public var status: Int
    /// Names in lower case.
    public var headers: [String: String]
    /// The whole body.
    public var body: [UInt8]

    /// An answer.
    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// The way to the service. It follows no redirect: the service sends none, a captive portal does.
public protocol Transport: Sendable {
    /// Sends a request and waits for its whole answer. Throws when there is none, and when the task is cancelled.
    func send(_ request: TransportRequest) async throws -> TransportResponse
}
