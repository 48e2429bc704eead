/// The header fields of a request, in the order they came, looked up without regard to case.
public struct HTTPHeaders: Sendable {
    struct Field {
        let name: Range<Int>
        let value: Range<Int>
    }

    /// The head as received; fields are ranges of it, so that nobody pays for headers nobody reads.
    private let head: [UInt8]
    private let fields: [Field]

    init(head: [UInt8], fields: [Field]) {
        self.head = head
        self.fields = fields
    }

    /// How many fields there are.
    public var count: Int { fields.count }

    /// The value of the first field of this name, without the white space around it.
    public subscript(name: String) -> String? {
        fields.first { isNamed($0, name) }.map(value)
    }

    /// The values of all fields of this name, in order.
    public func values(of name: String) -> [String] {
        fields.filter { isNamed($0, name) }.map(value)
    }

    /// Values come from the network and may be any bytes but control characters; what is not UTF-8 shows as U+FFFD.
    private func value(_ field: Field) -> String {
        String(decoding: head[field.value], as: UTF8.self)
    }

    private func isNamed(_ field: Field, _ name: String) -> Bool {
        let wanted = name.utf8
        guard wanted.count == field.name.count else { return false }
        return zip(head[field.name], wanted).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }
}

extension UInt8 {
    var asciiLowercased: UInt8 {
        self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self
    }
}
