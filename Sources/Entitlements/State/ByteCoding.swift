import FoundationEssentials

/// Appends values to bytes: the form in which states are stored. Integers have variable length.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func byte(_ value: UInt8) { bytes.append(value) }
    mutating func raw(_ value: [UInt8]) { bytes.append(contentsOf: value) }

    mutating func unsigned(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func integer(_ value: Int64) { unsigned(UInt64(bitPattern: (value << 1) ^ (value >> 63))) }
    mutating func count(_ value: Int) { unsigned(UInt64(value)) }
    mutating func bool(_ value: Bool) { byte(value ? 1 : 0) }

    mutating func text(_ value: String) {
        count(value.utf8.count)
        bytes.append(contentsOf: value.utf8)
    }

    mutating func account(_ value: AccountID) {
        withUnsafeBytes(of: value.uuid.uuid) { bytes.append(contentsOf: $0) }
    }

    mutating func optional<Value>(_ value: Value?, _ write: (inout ByteWriter, Value) -> Void) {
        bool(value != nil)
        if let value { write(&self, value) }
    }

    mutating func list<Element>(_ elements: some Collection<Element>, _ write: (inout ByteWriter, Element) -> Void) {
        count(elements.count)
        for element in elements { write(&self, element) }
    }
}

/// Stored bytes that cannot be read: written by a newer release, or damaged.
public struct StateCodingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public enum Code: String, Sendable {
        case truncated, unknownFormat, invalidValue
    }

    /// What is wrong.
    public let code: Code
    /// Where, in bytes from the start.
    public let offset: Int

    /// A sentence for the operator.
    public var description: String {
        "The stored state cannot be read (\(code.rawValue) at byte \(offset)): rebuild the projection with this release."
    }
}

/// Reads what `ByteWriter` wrote.
struct ByteReader {
    private let bytes: [UInt8]
    private(set) var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }

    /// What was read since an offset.
    func bytes(from start: Int) -> [UInt8] { Array(bytes[start..<offset]) }

    func error(_ code: StateCodingError.Code) -> StateCodingError { StateCodingError(code: code, offset: offset) }

    mutating func byte() throws(StateCodingError) -> UInt8 {
        guard offset < bytes.count else { throw error(.truncated) }
        defer { offset += 1 }
        return bytes[offset]
    }

    mutating func unsigned() throws(StateCodingError) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            let byte = try byte()
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        throw error(.invalidValue)
    }

    mutating func integer() throws(StateCodingError) -> Int64 {
        let value = try unsigned()
        return Int64(bitPattern: (value >> 1) ^ (0 &- (value & 1)))
    }

    mutating func count() throws(StateCodingError) -> Int {
        let value = try unsigned()
        // Nothing stored is shorter than a byte: a larger count is damage, and must not reserve memory.
        guard value <= UInt64(bytes.count - offset) else { throw error(.invalidValue) }
        return Int(value)
    }

    mutating func bool() throws(StateCodingError) -> Bool {
        switch try byte() {
        case 0: return false
        case 1: return true
        default: throw error(.invalidValue)
        }
    }

    mutating func text() throws(StateCodingError) -> String {
        let count = try count()
        guard let text = String(validating: bytes[offset..<offset + count], as: UTF8.self) else {
            throw error(.invalidValue)
        }
        offset += count
        return text
    }

    mutating func account() throws(StateCodingError) -> AccountID {
        guard bytes.count - offset >= 16 else { throw error(.truncated) }
        let account = bytes.withUnsafeBytes {
            AccountID(UUID(uuid: $0.loadUnaligned(fromByteOffset: offset, as: uuid_t.self)))
        }
        offset += 16
        return account
    }

    mutating func optional<Value>(
        _ read: (inout ByteReader) throws(StateCodingError) -> Value
    ) throws(StateCodingError) -> Value? {
        try bool() ? try read(&self) : nil
    }

    mutating func list<Element>(
        _ read: (inout ByteReader) throws(StateCodingError) -> Element
    ) throws(StateCodingError) -> [Element] {
        let count = try count()
        var elements: [Element] = []
        elements.reserveCapacity(count)
        for _ in 0..<count { elements.append(try read(&self)) }
        return elements
    }
}
