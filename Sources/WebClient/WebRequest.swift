/// A request over HTTP/1.1.
public struct WebRequest: Sendable, Hashable {
    /// `GET`, `POST` and so on.
    public var method: String
    /// The whole address, http or https.
    public var url: String
    /// Names and values.
    public var headers: [String: String]
    /// Nil where there is none, as with a GET.
    public var body: [UInt8]?
    /// How long to wait for the whole answer.
    public var timeout: Duration
    /// More bytes of body than this are a failure.
    public var answerLimit: Int

    /// A request.
    public init(
        method: String = "GET", url: String, headers: [String: String] = [:], body: [UInt8]? = nil,
        timeout: Duration = .seconds(30), answerLimit: Int = 1 << 20
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.answerLimit = answerLimit
    }
}

/// A whole answer, whatever its status.
public struct WebResponse: Sendable, Hashable {
    /// The HTTP status.
    public var status: Int
    /// Names in lower case; the values of a name that came more than once are joined by `, `.
    public var headers: [String: String]
    /// The body as it was sent: no compression is asked for, and none undone.
    public var body: [UInt8]
}
