/// The header fields of a head, and what they say about framing (RFC 9112 sections 5 and 6).
struct FieldList {
    private let bytes: [UInt8]
    private(set) var all: [HTTPHeaders.Field] = []
    private var lengths: [HTTPHeaders.Field] = []
    private var codings: [HTTPHeaders.Field] = []
    private var expectations: [HTTPHeaders.Field] = []
    private(set) var hosts = 0
    private(set) var asksToClose = false

    init(_ bytes: [UInt8], from start: Int, maxFields: Int) throws(HTTPProblem) {
        self.bytes = bytes
        var index = start
        while index < bytes.count, bytes[index] != .carriageReturn {
            guard all.count < maxFields else { throw .malformed("A request may have \(maxFields) headers.") }
            let field = try Self.parseField(bytes, at: &index)
            all.append(field)
            note(field)
        }
    }

    func framing(isOldVersion: Bool) throws(HTTPProblem) -> RequestHead.BodyFraming {
        guard lengths.count <= 1 else { throw .malformed("Content-Length may be given once.") }
        guard let coding = codings.first else {
            guard let length = lengths.first else { return .none }
            return try .length(plainNumber(length))
        }
        guard lengths.isEmpty else {
            throw .malformed("Content-Length and Transfer-Encoding exclude each other.")
        }
        guard !isOldVersion, codings.count == 1, value(coding, equals: "chunked") else {
            throw .malformed("The only transfer coding this server accepts is one chunked, on HTTP/1.1.")
        }
        return .chunked
    }

    func expectsContinue() throws(HTTPProblem) -> Bool {
        guard expectations.allSatisfy({ value($0, equals: "100-continue") }) else { throw .expectationFailed }
        return !expectations.isEmpty
    }

    /// Reads `name: value` and moves past its line end. A space before the colon, an empty name and a folded line
    /// (one that begins with a space) all show as a name that is not a token.
    private static func parseField(_ bytes: [UInt8], at index: inout Int) throws(HTTPProblem) -> HTTPHeaders.Field {
        let nameStart = index
        while bytes[index].isTokenCharacter { index += 1 }
        guard index > nameStart, bytes[index] == UInt8(ascii: ":") else {
            throw .malformed("A header must be a name, a colon right after it, and a value on the same line.")
        }
        let name = nameStart..<index
        index += 1
        var valueStart = index
        while bytes[index] != .carriageReturn {
            guard bytes[index] >= .space && bytes[index] != 0x7F || bytes[index] == .tab else {
                throw .malformed("A header value may not have control characters.")
            }
            index += 1
        }
        var valueEnd = index
        while valueStart < valueEnd, bytes[valueStart].isWhiteSpace { valueStart += 1 }
        while valueEnd > valueStart, bytes[valueEnd - 1].isWhiteSpace { valueEnd -= 1 }
        index += 2
        return HTTPHeaders.Field(name: name, value: valueStart..<valueEnd)
    }

    private mutating func note(_ field: HTTPHeaders.Field) {
        switch field.name.count {
        case 4 where equals(field.name, "host"): hosts += 1
        case 6 where equals(field.name, "expect"): expectations.append(field)
        case 10 where equals(field.name, "connection"): asksToClose = asksToClose || listContainsClose(field)
        case 14 where equals(field.name, "content-length"): lengths.append(field)
        case 17 where equals(field.name, "transfer-encoding"): codings.append(field)
        default: break
        }
    }

    private func listContainsClose(_ field: HTTPHeaders.Field) -> Bool {
        bytes[field.value].split(separator: UInt8(ascii: ",")).contains { item in
            let word = item.drop(while: \.isWhiteSpace).prefix { !$0.isWhiteSpace }
            return equals(word.indices, "close")
        }
    }

    /// Digits only: no sign, no list, nothing that overflows.
    private func plainNumber(_ field: HTTPHeaders.Field) throws(HTTPProblem) -> Int {
        let digits = bytes[field.value]
        guard !digits.isEmpty, digits.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }),
            let number = Int(String(decoding: digits, as: UTF8.self))
        else { throw .malformed("Content-Length must be a plain decimal number.") }
        return number
    }

    private func value(_ field: HTTPHeaders.Field, equals lowercased: StaticString) -> Bool {
        equals(field.value, lowercased)
    }

    private func equals(_ range: Range<Int>, _ lowercased: StaticString) -> Bool {
        guard range.count == lowercased.utf8CodeUnitCount else { return false }
        return lowercased.withUTF8Buffer { wanted in
            zip(bytes[range], wanted).allSatisfy { $0.asciiLowercased == $1 }
        }
    }
}

extension UInt8 {
    /// Optional white space of a header.
    var isWhiteSpace: Bool { self == .space || self == .tab }
}
