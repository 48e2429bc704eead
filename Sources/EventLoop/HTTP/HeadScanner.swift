/// Finds the end of a request's head in bytes that arrive bit by bit, each looked at once.
///
/// Lines end with CR LF and nothing else: a bare CR or LF, or a NUL, is where parsers of a chain begin to differ.
struct HeadScanner {
    enum Result: Equatable {
        case incomplete
        /// The head is these bytes, the empty line that ends it included.
        case complete(Range<Int>)
        case malformed
    }

    private var scanned = 0
    private var start = 0
    private var lineLength = 0
    private var lines = 0
    private var isAfterReturn = false

    /// Looks at the bytes added since the last call.
    mutating func scan(_ bytes: [UInt8]) -> Result {
        while scanned < bytes.count {
            let byte = bytes[scanned]
            scanned += 1
            if isAfterReturn {
                guard byte == .lineFeed else { return .malformed }
                isAfterReturn = false
                guard lineLength == 0 else {
                    lines += 1
                    lineLength = 0
                    continue
                }
                if lines > 0 { return .complete(start..<scanned) }
                // One empty line before the request line is to be ignored (RFC 9112 section 2.2).
                guard start == 0 else { return .malformed }
                start = scanned
            } else if byte == .carriageReturn {
                isAfterReturn = true
            } else if byte == .lineFeed || byte == 0 {
                return .malformed
            } else {
                lineLength += 1
            }
        }
        return .incomplete
    }
}

extension UInt8 {
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let tab = UInt8(ascii: "\t")
}
