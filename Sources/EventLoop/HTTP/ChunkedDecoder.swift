/// Takes the chunked transfer coding off a body (RFC 9112 section 7.1), more strictly than the grammar:
/// sizes are plain hexadecimal, chunks have no extensions, lines end with CR LF. Trailers are read and dropped.
struct ChunkedDecoder {
    private enum State {
        case size(value: Int, digits: Int)
        case sizeLineFeed(value: Int)
        case data(remaining: Int)
        case dataReturn
        case dataLineFeed
        case trailer(lineLength: Int)
        case trailerLineFeed(lineLength: Int)
        case done
    }

    private var state = State.size(value: 0, digits: 0)
    private var trailerBytes = 0

    private static let maxTrailerBytes = 4096
    private static let wrong = HTTPProblem.malformed("The chunked body is malformed.")

    var isDone: Bool {
        if case .done = state { true } else { false }
    }

    /// Decodes `bytes` from `index` on, up to the end of the body, which leaves `index` behind it.
    mutating func decode(
        _ bytes: [UInt8], from index: inout Int, into body: inout [UInt8], limit: Int
    ) throws(HTTPProblem) {
        while index < bytes.count, !isDone {
            if case .data(let remaining) = state {
                let count = min(remaining, bytes.count - index)
                body.append(contentsOf: bytes[index..<index + count])
                index += count
                state = count == remaining ? .dataReturn : .data(remaining: remaining - count)
            } else {
                state = try next(bytes[index], room: limit - body.count, limit: limit)
                index += 1
            }
        }
    }

    private mutating func next(_ byte: UInt8, room: Int, limit: Int) throws(HTTPProblem) -> State {
        switch (state, byte) {
        case (.size(let value, let digits), .carriageReturn) where digits > 0:
            guard value <= room else { throw .bodyTooLarge(limit: limit) }
            return .sizeLineFeed(value: value)
        case (.size(let value, let digits), _):
            // Fifteen digits cannot overflow.
            guard digits < 15, let digit = byte.hexDigitValue else { throw Self.wrong }
            return .size(value: value << 4 | Int(digit), digits: digits + 1)
        case (.sizeLineFeed(let value), .lineFeed):
            return value == 0 ? .trailer(lineLength: 0) : .data(remaining: value)
        case (.dataReturn, .carriageReturn): return .dataLineFeed
        case (.dataLineFeed, .lineFeed): return .size(value: 0, digits: 0)
        case (.trailer(let length), .carriageReturn): return .trailerLineFeed(lineLength: length)
        case (.trailer(let length), _):
            trailerBytes += 1
            guard byte >= .space || byte == .tab, trailerBytes <= Self.maxTrailerBytes else { throw Self.wrong }
            return .trailer(lineLength: length + 1)
        case (.trailerLineFeed(let length), .lineFeed):
            return length == 0 ? .done : .trailer(lineLength: 0)
        default: throw Self.wrong
        }
    }
}
