/// An answer to a request.
public struct HTTPResponse: Sendable {
    /// A header field of the answer. One whose name or value holds a line break is left out.
    public struct Header: Sendable, Equatable {
        /// The field's name.
        public var name: String
        /// The field's value.
        public var value: String

        /// A field of this name and value.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The status code, 200 to 599.
    public var status: Int
    /// Fields to send; `Date`, `Content-Length` and `Connection` are the server's.
    public var headers: [Header]
    /// The body; for HEAD give what GET would have: only its length is sent.
    public var body: [UInt8]
    /// Whether the connection closes after this answer.
    public var closesConnection: Bool

    /// An answer; empty and keeping the connection unless told otherwise.
    public init(status: Int, headers: [Header] = [], body: [UInt8] = [], closesConnection: Bool = false) {
        self.status = status
        self.headers = headers
        self.body = body
        self.closesConnection = closesConnection
    }

    /// Whether the status allows a body at all (RFC 9110 section 6.4.1).
    var mayHaveBody: Bool { status != 204 && status != 304 }
}
