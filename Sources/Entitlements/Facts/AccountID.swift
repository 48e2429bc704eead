public import FoundationEssentials

/// An account of the app, a UUID. Upper and lower case are equal (rules.md R7).
public struct AccountID: Sendable, Comparable, CustomStringConvertible {
    /// The UUID.
    public let uuid: UUID

    /// The account of that UUID.
    public init(_ uuid: UUID) { self.uuid = uuid }

    /// The account named by a text; nil when it is no UUID or the zero UUID, which names nobody (rules.md R7).
    public init?(_ text: String) {
        guard let uuid = Self.uuid(text), uuid != Self.zero else { return nil }
        self.init(uuid)
    }

    /// Foundation's parser on Linux also takes signs, spaces and `0x` among the digits, and each request names accounts.
    private static func uuid(_ text: String) -> UUID? {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.count == 36 else { return nil }
            var (high, low) = (UInt64(0), UInt64(0))
            for (index, byte) in bytes.enumerated() {
                if index == 8 || index == 13 || index == 18 || index == 23 {
                    guard byte == UInt8(ascii: "-") else { return nil }
                    continue
                }
                guard let digit = hexDigit(byte) else { return nil }
                high = high << 4 | low >> 60
                low = low << 4 | digit
            }
            return withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { UUID(uuid: $0.load(as: uuid_t.self)) }
        }
    }

    private static func hexDigit(_ byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    private static let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    /// Stands in for "no account"; no text names it.
    public static let nobody = AccountID(zero)

    /// Whether it is a UUID of version 8, "custom" (RFC 9562): the log keeps those for streams that are no account's, and an
    /// account that took one would read and write such a stream.
    public var isReserved: Bool { uuid.uuid.6 >> 4 == 8 && uuid.uuid.8 >> 6 == 2 }

    /// Lower case, as Apple writes tokens.
    public var description: String { uuid.uuidString.lowercased() }

    /// By bytes, for stable orders.
    public static func < (left: AccountID, right: AccountID) -> Bool { left.uuid < right.uuid }
}

extension AccountID: Hashable {
    /// Hashes two words instead of sixteen bytes: accounts are keys wherever a push goes.
    public func hash(into hasher: inout Hasher) {
        withUnsafeBytes(of: uuid.uuid) { bytes in
            hasher.combine(bytes.loadUnaligned(as: UInt64.self))
            hasher.combine(bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
    }
}
