import Entitlements

/// Reads one HTTP/1.1 answer (RFC 9112) as it comes, piece by piece. No I/O. What is not clearly an answer is none: nothing
/// that a bad network brings may be taken for one, or do harm.
struct AnswerReader {
    private enum State {
        case head
        /// Bytes of the body to come.
        case counted(Int)
        case chunkSize
        case chunk(Int)
        case chunkEnd
        case trailers
        /// The body ends with the connection.
        case untilEnd
        case complete
    }

    private var state = State.head
    private var rest: ArraySlice<UInt8> = []
    private var response = TransportResponse(status: 0)
    private let limit: Int

    private static let headLimit = 32 << 10
    private static let lineLimit = 8 << 10

    /// More bytes of body than `limit` are a failure.
    init(limit: Int) { self.limit = limit }

    /// Whether nothing more is waited for.
    var isComplete: Bool { if case .complete = state { true } else { false } }

    /// Takes what has come. Throws `network` when it is no answer.
    mutating func take(_ bytes: [UInt8]) throws(ClientError) {
        rest += bytes
        while try step() {}
    }

    /// The answer, when it is complete or the connection has ended in order. Throws `network` when something is missing.
    func finished() throws(ClientError) -> TransportResponse {
        switch state {
        case .complete, .untilEnd: return response
        case .head, .counted, .chunkSize, .chunk, .chunkEnd, .trailers: throw Self.failure("the answer was cut off")
        }
    }

    /// Whether there may be more to do with what is there.
    private mutating func step() throws(ClientError) -> Bool {
        switch state {
        case .head:
            guard let lines = try takeHead() else { return false }
            try readHead(lines)
            return true
        case .counted(let count):
            let taken = try takeBody(count)
            state = taken == count ? .complete : .counted(count - taken)
            return false
        case .chunkSize:
            guard let line = try takeLine() else { return false }
            let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
            guard 1...8 ~= digits.count, let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), size >= 0
            else { throw Self.failure("the answer has a chunk without a size") }
            state = size == 0 ? .trailers : .chunk(size)
            return true
        case .chunk(let count):
            let taken = try takeBody(count)
            state = taken == count ? .chunkEnd : .chunk(count - taken)
            return taken == count
        case .chunkEnd:
            guard let line = try takeLine() else { return false }
            guard line.isEmpty else { throw Self.failure("a chunk of the answer is longer than it says") }
            state = .chunkSize
            return true
        case .trailers:
            guard let line = try takeLine() else { return false }
            if line.isEmpty { state = .complete }
            return !line.isEmpty
        case .untilEnd:
            _ = try takeBody(.max)
            return false
        case .complete: return false
        }
    }

    private mutating func takeBody(_ count: Int) throws(ClientError) -> Int {
        let part = rest.prefix(count)
        guard response.body.count + part.count <= limit else { throw Self.failure("the answer is too long") }
        response.body += part
        rest = rest.dropFirst(part.count)
        return part.count
    }

    /// A line without its end; nil when its end has not come.
    private mutating func takeLine() throws(ClientError) -> ArraySlice<UInt8>? {
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
            guard rest.count <= Self.lineLimit else { throw Self.failure("a line of the answer is too long") }
            return nil
        }
        let line = rest[..<end]
        guard line.last == UInt8(ascii: "\r") else { throw Self.failure("a line of the answer has no proper end") }
        rest = rest[(end + 1)...]
        return line.dropLast()
    }

    /// The lines of the head; nil when they have not all come.
    private mutating func takeHead() throws(ClientError) -> [String]? {
        let end = Array("\r\n\r\n".utf8)
        guard let range = rest.firstRange(of: end) else {
            guard rest.count <= Self.headLimit else { throw Self.failure("the answer's head is too long") }
            return nil
        }
        let head = rest[..<rest.index(range.lowerBound, offsetBy: 2)]
        rest = rest[range.upperBound...]
        return try head.dropLast().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            line throws(ClientError) in
            let text = line.dropLast()
            guard line.last == UInt8(ascii: "\r"), text.allSatisfy({ $0 >= 32 || $0 == UInt8(ascii: "\t") }) else {
                throw Self.failure("the answer's head is damaged")
            }
            return String(decoding: text, as: UTF8.self)
        }
    }

    private mutating func readHead(_ lines: [String]) throws(ClientError) {
        let start = lines[0].split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard start.count >= 2, start[0] == "HTTP/1.1" || start[0] == "HTTP/1.0", start[1].utf8.count == 3,
            let status = Int(start[1]), 100...599 ~= status
        else { throw Self.failure("what answered does not speak HTTP") }
        response.headers = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":"), colon != line.startIndex,
                line[..<colon].utf8.allSatisfy({ $0 > 32 && $0 < 127 })
            else { throw Self.failure("the answer has a field without a name") }
            let name = line[..<colon].lowercased()
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            let trimmed = String(value.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
            response.headers[name] = response.headers[name].map { "\($0), \(trimmed)" } ?? trimmed
        }
        response.status = status
        // Only a word before the answer, which is still to come.
        guard status >= 200 else { return }
        state = try bodyState()
    }

    private func bodyState() throws(ClientError) -> State {
        if response.status == 204 || response.status == 304 { return .complete }
        let length = response.headers["content-length"]
        if let coding = response.headers["transfer-encoding"] {
            guard coding.lowercased() == "chunked", length == nil else {
                throw Self.failure("the answer's length can be read in two ways")
            }
            return .chunkSize
        }
        guard let length else { return .untilEnd }
        guard 1...10 ~= length.utf8.count, length.utf8.allSatisfy({ 48...57 ~= $0 }), let count = Int(length) else {
            throw Self.failure("the answer's length is no number")
        }
        guard count <= limit else { throw Self.failure("the answer is too long") }
        return count == 0 ? .complete : .counted(count)
    }

    private static func failure(_ why: String) -> ClientError { ClientError(.network, why) }
}
