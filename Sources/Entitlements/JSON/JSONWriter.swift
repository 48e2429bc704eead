/// Writes JSON text into bytes. Hot answers call it directly instead of building a `JSONValue`.
public struct JSONWriter {
    /// What has been written so far, UTF-8.
    public private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// A writer with room for that many bytes.
    public init(capacity: Int = 1024) { bytes.reserveCapacity(capacity) }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    /// Writes `{`, what `body` writes, and `}`.
    public mutating func object(_ body: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
        body(&self)
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    /// Writes `[`, what `body` writes, and `]`.
    public mutating func array(_ body: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "["))
        needsComma = false
        body(&self)
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    /// Writes a member's name; its value must follow.
    public mutating func name(_ name: String) {
        separate()
        quoted(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a string.
    public mutating func string(_ text: String) {
        separate()
        quoted(text)
    }

    /// Writes an integer.
    public mutating func integer(_ value: Int64) {
        separate()
        bytes.append(contentsOf: String(value).utf8)
    }

    /// Writes true or false.
    public mutating func bool(_ value: Bool) {
        separate()
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    /// Writes null.
    public mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    /// Writes text that already is JSON.
    public mutating func raw(_ json: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
    }

    /// Writes any value; with `sorted` objects have their members in the order of their names' bytes.
    public mutating func value(_ value: JSONValue, sorted: Bool = false) {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .integer(let value): integer(value)
        case .number(let number): raw(number.text.utf8)
        case .string(let text): string(text)
        case .array(let elements):
            array { writer in
                for element in elements { writer.value(element, sorted: sorted) }
            }
        case .object(let members):
            object { writer in
                for member in sorted ? members.sorted : members.members {
                    writer.name(member.name)
                    writer.value(member.value, sorted: sorted)
                }
            }
        }
    }

    private mutating func quoted(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        if isPlain {
            bytes.append(contentsOf: text.utf8)
        } else {
            escape(text)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0x0A: bytes.append(contentsOf: "\\n".utf8)
            case 0..<0x20:
                let digits = Array("0123456789abcdef".utf8)
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(digits[Int(byte >> 4)])
                bytes.append(digits[Int(byte & 15)])
            default: bytes.append(byte)
            }
        }
    }
}

extension JSONWriter {
    /// A member with a string, null when there is none.
    public mutating func member(_ name: String, _ value: String?) {
        self.name(name)
        if let value { string(value) } else { null() }
    }

    /// A member with an integer, null when there is none.
    public mutating func member(_ name: String, _ value: Int64?) {
        self.name(name)
        if let value { integer(value) } else { null() }
    }

    /// A member with a truth value, null when there is none.
    public mutating func member(_ name: String, _ value: Bool?) {
        self.name(name)
        if let value { bool(value) } else { null() }
    }
}

extension JSONValue {
    /// The value as compact JSON text, members in the order written.
    public var text: String {
        var writer = JSONWriter()
        writer.value(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension JSONObject {
    /// The one text of this content: members sorted by name, no space. Decides rules.md R1's last tie.
    public var canonicalText: [UInt8] {
        var writer = JSONWriter()
        writer.value(.object(self), sorted: true)
        return writer.bytes
    }
}
