/// A request's line and headers, after the strict check. What two parsers could read differently is refused.
struct RequestHead {
    enum BodyFraming: Equatable {
        case none
        case length(Int)
        case chunked
    }

    let method: String
    let target: String
    let path: String
    let query: HTTPQuery
    let headers: HTTPHeaders
    let framing: BodyFraming
    let expectsContinue: Bool
    /// Whether the connection may be used again: HTTP/1.1 without `Connection: close`.
    let keepsConnection: Bool

    /// - Parameter bytes: a head as ``HeadScanner`` finds it: CR LF after each line, an empty line at the end.
    init(_ bytes: [UInt8], maxFields: Int) throws(HTTPProblem) {
        let lineEnd = bytes.firstIndex(of: .carriageReturn) ?? bytes.endIndex
        let line = try RequestLine(bytes[..<lineEnd])
        let fields = try FieldList(bytes, from: lineEnd + 2, maxFields: maxFields)
        let isOldVersion = line.minorVersion == 0

        guard fields.hosts <= 1, fields.hosts == 1 || isOldVersion else {
            throw .malformed("Exactly one Host header is required.")
        }
        framing = try fields.framing(isOldVersion: isOldVersion)
        // HTTP/1.0 has no expectations; one that came is to be ignored (RFC 9110 section 10.1.1).
        expectsContinue = isOldVersion ? false : try fields.expectsContinue()
        keepsConnection = !isOldVersion && !fields.asksToClose
        method = line.method
        target = line.target
        path = line.path
        query = line.query
        headers = HTTPHeaders(head: bytes, fields: fields.all)
    }
}
