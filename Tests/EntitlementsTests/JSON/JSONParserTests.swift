import Entitlements
import Testing

@Suite("JSON reader")
struct JSONParserTests {
    private func code(_ text: String, limits: JSONLimits = JSONLimits()) -> JSONError.Code? {
        code(Array(text.utf8), limits: limits)
    }

    private func code(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) -> JSONError.Code? {
        do throws(JSONError) {
            _ = try JSONValue(parsing: bytes, limits: limits)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(
        "Values of every kind",
        arguments: [
            ("null", JSONValue.null), ("true", true), ("false", false), ("0", 0), ("-0", 0), ("12", 12), ("\"\"", ""),
            ("[]", []), ("{}", [:]), (" [ 1 , [ ] ] ", [1, []]), ("\t{\r\n\"a\" : {\"b\":null}}", ["a": ["b": nil]]),
            ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
        ] as [(String, JSONValue)])
    func values(text: String, value: JSONValue) throws {
        #expect(try JSONValue(parsing: text) == value)
    }

    @Test(
        "What RFC 8259 does not allow is refused",
        arguments: [
            ("", JSONError.Code.unexpectedEnd), ("  ", .unexpectedEnd), ("[1", .unexpectedEnd),
            ("{\"a\":", .unexpectedEnd),
            ("\"a", .unexpectedEnd), ("\"\\u12", .unexpectedEnd), ("[1,]", .unexpectedCharacter),
            ("{\"a\":1,}", .unexpectedCharacter), ("{a:1}", .unexpectedCharacter), ("{\"a\" 1}", .unexpectedCharacter),
            ("[1 2]", .unexpectedCharacter), ("tru", .unexpectedCharacter), ("nul ", .unexpectedCharacter),
            ("+1", .unexpectedCharacter), ("'a'", .unexpectedCharacter), ("NaN", .unexpectedCharacter),
            ("Infinity", .unexpectedCharacter), ("\u{FEFF}1", .unexpectedCharacter), ("// a\n1", .unexpectedCharacter),
            ("01", .invalidNumber), ("-", .invalidNumber), ("-a", .invalidNumber), ("1.", .invalidNumber),
            ("1e", .invalidNumber), ("1e+", .invalidNumber), ("1e400", .invalidNumber), ("00", .invalidNumber),
            ("\"a\u{01}\"", .invalidString), ("\"a\nb\"", .invalidString), ("\"\\x\"", .invalidString),
            ("\"\\u12g4\"", .invalidString), ("1 2", .trailingCharacters), ("[]]", .trailingCharacters),
            (".5", .unexpectedCharacter), ("1\0", .trailingCharacters),
        ])
    func refused(text: String, expected: JSONError.Code) {
        #expect(code(text) == expected)
    }

    @Test("Escapes and surrogate pairs")
    func escapes() throws {
        #expect(try JSONValue(parsing: #""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00""#) == .string("\"\\/\u{8}\u{c}\n\r\té😀"))
        #expect(try JSONValue(parsing: #""a\u0000b""#) == .string("a\0b"))
        for half in [#""\ud83d""#, #""\ude00""#, #""\ud83dx""#, #""\ud83d\n""#, #""\ud83d\ud83d""#] {
            #expect(code(half) == .invalidString, "\(half)")
        }
    }

    @Test(
        "Invalid UTF-8 in a string is refused",
        arguments: [
            [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0x80],
        ] as [[UInt8]])
    func invalidUTF8(bytes: [UInt8]) {
        let quote = UInt8(ascii: "\"")
        #expect(code([quote] + bytes + [quote]) == .invalidUTF8)
        #expect(code([quote] + Array("\\n".utf8) + bytes + [quote]) == .invalidUTF8)
    }

    @Test("A name that stands twice is refused where it stands, in small and in large objects")
    func duplicates() {
        #expect(code("{\"a\":1,\"a\":1}") == .duplicateName)
        #expect(code("{\"a\":1,\"\\u0061\":1}") == .duplicateName)
        for count in [31, 32, 33, 100] {
            let members = (0..<count).map { "\"m\($0)\":0" }.joined(separator: ",")
            #expect(code("{\(members)}") == nil)
            #expect(code("{\(members),\"m0\":1}") == .duplicateName)
            #expect(code("{\(members),\"m\(count - 1)\":1}") == .duplicateName)
        }
    }

    @Test("Depth and length have a limit")
    func limits() {
        let limits = JSONLimits(bytes: 100, depth: 8)
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(code(nested(8), limits: limits) == nil)
        #expect(code(nested(9), limits: limits) == .tooDeep)
        #expect(code(String(repeating: "[", count: 99), limits: limits) == .tooDeep)
        #expect(code(String(repeating: " ", count: 99) + "1", limits: limits) == nil)
        #expect(code(String(repeating: " ", count: 100) + "1", limits: limits) == .tooLong)
    }

    @Test("Numbers that are no 64-bit integers keep their text")
    func bigNumbers() throws {
        for text in [
            "9223372036854775808", "-9223372036854775809", "1.50", "1e3", "1E-2", "123456789012345678901234567890",
        ] {
            let value = try JSONValue(parsing: text)
            #expect(value.integerValue == nil)
            #expect(value.text == text)
        }
        #expect(try JSONValue(parsing: "1.0") != JSONValue(parsing: "1.00"))
    }

    @Test("An error knows its line and column in bytes")
    func places() throws {
        func place(_ text: String) -> [Int] {
            do throws(JSONError) {
                _ = try JSONValue(parsing: text)
                return []
            } catch {
                return [error.line, error.column]
            }
        }
        #expect(place("x") == [1, 1])
        #expect(place("{\n  \"é\": x}") == [2, 9])
        #expect(place("[1,\n2,\n\n]") == [4, 1])
        #expect(place("{\"a\":1,\n \"a\":2}") == [2, 2])
    }

    @Test("Canonical text does not depend on the order of members")
    func canonicalText() throws {
        let one = try #require(JSONValue(parsing: #"{"b":[{"z":1,"a":2.50}],"a":"é\n"}"#).objectValue)
        let other = try #require(
            JSONValue(parsing: #"{ "a": "\u00e9\u000a", "b": [ {"a":2.50, "z":1} ] }"#).objectValue)
        #expect(one == other)
        #expect(one.canonicalText == other.canonicalText)
        #expect(String(decoding: one.canonicalText, as: UTF8.self) == #"{"a":"é\n","b":[{"a":2.50,"z":1}]}"#)
    }

    @Test("Whatever is written is read again as the same", arguments: 1...20)
    func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let value = Self.random(depth: 0, &generator)
            #expect(try JSONValue(parsing: value.text) == value, "seed \(seed)")
        }
    }

    private static func random(depth: Int, _ generator: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth < 4 ? 7 : 5), using: &generator) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &generator))
        case 2:
            return .integer(
                Int64.random(in: .min ... .max, using: &generator) >> Int64.random(in: 0..<64, using: &generator))
        case 3: return JSONNumber(Double.random(in: -1e9...1e9, using: &generator)).map(JSONValue.number) ?? .null
        case 4: return .string(text(&generator))
        case 5:
            return .array(
                (0..<Int.random(in: 0..<5, using: &generator)).map { _ in random(depth: depth + 1, &generator) })
        default:
            let count = Int.random(in: 0..<5, using: &generator)
            return .object(
                JSONObject((0..<count).map { _ in (text(&generator), random(depth: depth + 1, &generator)) }))
        }
    }

    private static func text(_ generator: inout SeededGenerator) -> String {
        let scalars = (0..<Int.random(in: 0..<8, using: &generator)).map { _ in
            Unicode.Scalar(
                UInt32.random(in: 0..<0x11_0000, using: &generator) >> UInt32.random(in: 0..<16, using: &generator))
        }
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars.compactMap(\.self))
        return text
    }
}
