/// Carries one request to a server elsewhere and brings its answer, whichever library does it. Follows no redirect and obeys
/// no `Retry-After` by itself.
public protocol HTTPExchange: Sendable {
    /// Sends a request. An answer of any status is an answer; only its absence is a failure.
    func send(_ request: OutgoingRequest) async throws(ExchangeFailure) -> ReceivedAnswer
}

/// A request to a server elsewhere. Its headers may hold a token: never logged.
public struct OutgoingRequest: Sendable {
    /// For example `GET`.
    public var method: String
    /// The whole address, encoded.
    public var url: String
    /// Names and values.
    public var headers: [(name: String, value: String)]
    /// Nil: none.
    public var body: [UInt8]?
    /// For the whole exchange.
    public var timeLimit: Duration
    /// More bytes of an answer are refused.
    public var maximumAnswer: Int

    /// A request.
    public init(
        method: String, url: String, headers: [(name: String, value: String)] = [], body: [UInt8]? = nil,
        timeLimit: Duration = .seconds(30), maximumAnswer: Int = 8 << 20
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeLimit = timeLimit
        self.maximumAnswer = maximumAnswer
    }
}

/// What a server answered.
public struct ReceivedAnswer: Sendable {
    /// The status code.
    public var status: Int
    /// Names and values, as they came.
    public var headers: [(name: String, value: String)]
    /// The body, without transfer coding.
    public var body: [UInt8]

    /// An answer.
    public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first header of this name, in any case.
    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// Why no answer came.
public struct ExchangeFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong, as a closed set.
    public enum Code: String, Sendable, Hashable {
        /// No name, no route, or nobody listens.
        case unreachable
        /// The answer did not come in time.
        case timedOut
        /// The certificate is not to be trusted, or TLS failed.
        case tls
        /// The connection ended, or what came is no HTTP answer.
        case broken
        /// The answer is longer than the request allows.
        case tooLarge
        /// The caller gave up.
        case cancelled
    }

    /// What went wrong.
    public let code: Code
    /// For people; holds no secret.
    public let message: String

    /// A failure.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Both in one line.
    public var description: String { "\(code.rawValue): \(message)" }
}
