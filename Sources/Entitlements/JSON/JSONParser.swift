/// A strict RFC 8259 reader: one value, UTF-8, unique names, no comments, nothing behind it.
struct JSONParser {
    /// Told the place of each value as it begins; only files of operators need it.
    typealias Locate = (_ path: [JSONPathStep], _ line: Int, _ column: Int) -> Void

    private let bytes: UnsafeBufferPointer<UInt8>
    private let limits: JSONLimits
    private let locate: Locate?
    private var position = 0
    private var path: [JSONPathStep] = []
    /// How far the lines are counted for `locate`, so that each byte is looked at once.
    private var lines = LineCount()

    static func parse(
        _ bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits, locate: Locate? = nil
    ) throws(JSONError) -> JSONValue {
        var parser = JSONParser(bytes: bytes, limits: limits, locate: locate)
        guard bytes.count <= limits.bytes else {
            throw parser.error(.tooLong, "the text has \(bytes.count) bytes; at most \(limits.bytes) are taken")
        }
        let value = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.position == bytes.count else {
            throw parser.error(.trailingCharacters, "there is something behind the end of the JSON value")
        }
        return value
    }

    private init(bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits, locate: Locate?) {
        self.bytes = bytes
        self.limits = limits
        self.locate = locate
    }

    private func error(_ code: JSONError.Code, _ message: String) -> JSONError {
        var lines = LineCount()
        lines.advance(to: position, in: bytes)
        return JSONError(code: code, line: lines.line, column: lines.column(of: position), message: message)
    }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    private func peek() throws(JSONError) -> UInt8 {
        guard position < bytes.count else { throw error(.unexpectedEnd, "the text ends in the middle of a value") }
        return bytes[position]
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        skipSpace()
        if let locate {
            lines.advance(to: position, in: bytes)
            locate(path, lines.line, lines.column(of: position))
        }
        switch try peek() {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw error(.unexpectedCharacter, "a value was expected here")
        }
    }

    private mutating func literal(_ text: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        let length = text.utf8CodeUnitCount
        guard position + length <= bytes.count,
            (0..<length).allSatisfy({ bytes[position + $0] == text.utf8Start[$0] })
        else { throw error(.unexpectedCharacter, "true, false or null was expected here") }
        position += length
        return value
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
        try checkDepth(depth)
        position += 1
        var members: [JSONObject.Member] = []
        skipSpace()
        if try peek() == UInt8(ascii: "}") {
            position += 1
            return .object(JSONObject())
        }
        members.reserveCapacity(16)
        // Walking the names is fastest for the tens of members of real objects; a hostile one is quadratic without this.
        var seen: Set<String> = []
        while true {
            skipSpace()
            guard try peek() == UInt8(ascii: "\"") else {
                throw error(.unexpectedCharacter, "a member name in quotes was expected here")
            }
            let nameStart = position
            let name = try string()
            if members.count == 32 { seen = Set(members.map(\.name)) }
            let isRepeated = members.count < 32 ? members.contains { $0.name == name } : !seen.insert(name).inserted
            if isRepeated {
                position = nameStart
                throw error(.duplicateName, "the member \"\(name)\" stands twice in one object")
            }
            skipSpace()
            guard try peek() == UInt8(ascii: ":") else {
                throw error(.unexpectedCharacter, "a colon was expected behind the member name")
            }
            position += 1
            if locate != nil { path.append(.member(name)) }
            members.append(JSONObject.Member(name: name, value: try value(depth: depth)))
            if locate != nil { path.removeLast() }
            skipSpace()
            switch try peek() {
            case UInt8(ascii: ","): position += 1
            case UInt8(ascii: "}"):
                position += 1
                return .object(JSONObject(unique: members))
            default: throw error(.unexpectedCharacter, "a comma or } was expected here")
            }
        }
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
        try checkDepth(depth)
        position += 1
        var elements: [JSONValue] = []
        skipSpace()
        if try peek() == UInt8(ascii: "]") {
            position += 1
            return .array([])
        }
        while true {
            if locate != nil { path.append(.index(elements.count)) }
            elements.append(try value(depth: depth))
            if locate != nil { path.removeLast() }
            skipSpace()
            switch try peek() {
            case UInt8(ascii: ","): position += 1
            case UInt8(ascii: "]"):
                position += 1
                return .array(elements)
            default: throw error(.unexpectedCharacter, "a comma or ] was expected here")
            }
        }
    }

    private func checkDepth(_ depth: Int) throws(JSONError) {
        guard depth <= limits.depth else {
            throw error(.tooDeep, "arrays and objects lie more than \(limits.depth) deep")
        }
    }

    private mutating func number() throws(JSONError) -> JSONValue {
        let start = position
        if bytes[position] == UInt8(ascii: "-") { position += 1 }
        let firstDigit = position
        let whole = skipDigits()
        guard whole > 0, whole == 1 || bytes[firstDigit] != UInt8(ascii: "0") else {
            throw error(.invalidNumber, "this is not a JSON number")
        }
        var isInteger = true
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            isInteger = false
            position += 1
            guard skipDigits() > 0 else { throw error(.invalidNumber, "a digit was expected behind the point") }
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            position += 1
            if position < bytes.count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
                position += 1
            }
            guard skipDigits() > 0 else { throw error(.invalidNumber, "a digit was expected in the exponent") }
        }
        if isInteger, let integer = Self.integer(bytes[start..<position]) { return .integer(integer) }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let value = Double(text), value.isFinite else {
            throw error(.invalidNumber, "this number is out of range")
        }
        return .number(JSONNumber(text: text, value: value))
    }

    /// nil on overflow: such a number is kept as text.
    private static func integer(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int64? {
        let isNegative = digits.first == UInt8(ascii: "-")
        var value: Int64 = 0
        for byte in isNegative ? digits.dropFirst() : digits {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let digit = Int64(byte - UInt8(ascii: "0"))
            let (sum, overflowSum) =
                isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
            if overflow || overflowSum { return nil }
            value = sum
        }
        return value
    }

    private mutating func skipDigits() -> Int {
        let start = position
        while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) {
            position += 1
        }
        return position - start
    }

    private mutating func string() throws(JSONError) -> String {
        position += 1
        let start = position
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                let text = try validated(UnsafeBufferPointer(rebasing: bytes[start..<position]))
                position += 1
                return text
            case UInt8(ascii: "\\"):
                return try escapedString(from: start)
            case 0..<0x20:
                throw error(.invalidString, "a control character stands unescaped in a string")
            default: position += 1
            }
        }
        throw error(.unexpectedEnd, "the text ends in the middle of a string")
    }

    private mutating func escapedString(from start: Int) throws(JSONError) -> String {
        var units = Array(bytes[start..<position])
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return try units.withUnsafeBufferPointer { (buffer) throws(JSONError) in try validated(buffer) }
            case UInt8(ascii: "\\"):
                position += 1
                try appendEscape(to: &units)
            case 0..<0x20:
                throw error(.invalidString, "a control character stands unescaped in a string")
            default:
                units.append(byte)
                position += 1
            }
        }
        throw error(.unexpectedEnd, "the text ends in the middle of a string")
    }

    private mutating func appendEscape(to units: inout [UInt8]) throws(JSONError) {
        let escape = try peek()
        position += 1
        switch escape {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): units.append(escape)
        case UInt8(ascii: "b"): units.append(0x08)
        case UInt8(ascii: "f"): units.append(0x0C)
        case UInt8(ascii: "n"): units.append(0x0A)
        case UInt8(ascii: "r"): units.append(0x0D)
        case UInt8(ascii: "t"): units.append(0x09)
        case UInt8(ascii: "u"):
            var code = try hexadecimal()
            if (0xD800..<0xDC00).contains(code) {
                guard try peek() == UInt8(ascii: "\\") else { throw error(.invalidString, "half of a surrogate pair") }
                position += 1
                guard try peek() == UInt8(ascii: "u") else { throw error(.invalidString, "half of a surrogate pair") }
                position += 1
                let low = try hexadecimal()
                guard (0xDC00..<0xE000).contains(low) else { throw error(.invalidString, "half of a surrogate pair") }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw error(.invalidString, "half of a surrogate pair") }
            units.append(contentsOf: String(Character(scalar)).utf8)
        default: throw error(.invalidString, "this escape is not one of JSON's")
        }
    }

    private mutating func hexadecimal() throws(JSONError) -> UInt32 {
        guard position + 4 <= bytes.count else {
            throw error(.unexpectedEnd, "the text ends in the middle of an escape")
        }
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue else {
                throw error(.invalidString, "\\u needs four hexadecimal digits")
            }
            code = code << 4 | UInt32(digit)
            position += 1
        }
        return code
    }

    private func validated(_ buffer: UnsafeBufferPointer<UInt8>) throws(JSONError) -> String {
        guard let text = String(validating: buffer, as: UTF8.self) else {
            throw error(.invalidUTF8, "the string is not valid UTF-8")
        }
        return text
    }
}

/// Which line a byte is in.
private struct LineCount {
    private(set) var line = 1
    private var lineStart = 0
    private var counted = 0

    mutating func advance(to position: Int, in bytes: UnsafeBufferPointer<UInt8>) {
        while counted < min(position, bytes.count) {
            if bytes[counted] == UInt8(ascii: "\n") {
                line += 1
                lineStart = counted + 1
            }
            counted += 1
        }
    }

    func column(of position: Int) -> Int { position - lineStart + 1 }
}

/// A step on the way from the whole text to a value in it.
public enum JSONPathStep: Sendable, Hashable {
    case member(String)
    case index(Int)
}

extension JSONValue {
    /// Reads one JSON value. Throws `JSONError` with line and column.
    public init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) {
        self = try bytes.withUnsafeBufferPointer { (buffer) throws(JSONError) in
            try JSONParser.parse(buffer, limits: limits)
        }
    }

    /// Reads one JSON value from text. Throws `JSONError` with line and column.
    public init(parsing text: String, limits: JSONLimits = JSONLimits()) throws(JSONError) {
        try self.init(parsing: Array(text.utf8), limits: limits)
    }
}
