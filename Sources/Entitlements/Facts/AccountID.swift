public import FoundationEssentials

/// An account of the app, a UUID. Upper and lower case are equal (rules.md R7).
public struct AccountID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The UUID.
    public let uuid: UUID

    /// The account of that UUID.
    public init(_ uuid: UUID) { self.uuid = uuid }

    /// The account named by a text; nil when it is no UUID or the zero UUID, which names nobody (rules.md R7).
    public init?(_ text: String) {
        guard Self.hasForm(text), let uuid = UUID(uuidString: text), uuid != Self.zero else { return nil }
        self.init(uuid)
    }

    /// Foundation's parser on Linux also takes signs, spaces and `0x` among the digits.
    private static func hasForm(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 36 else { return false }
        return bytes.indices.allSatisfy { index in
            switch (index, bytes[index]) {
            case (8, let byte), (13, let byte), (18, let byte), (23, let byte): byte == UInt8(ascii: "-")
            case (_, UInt8(ascii: "0")...UInt8(ascii: "9")), (_, UInt8(ascii: "a")...UInt8(ascii: "f")),
                (_, UInt8(ascii: "A")...UInt8(ascii: "F")):
                true
            default: false
            }
        }
    }

    private static let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    /// Stands in for "no account"; no text names it.
    public static let nobody = AccountID(zero)

    /// Lower case, as Apple writes tokens.
    public var description: String { uuid.uuidString.lowercased() }

    /// By bytes, for stable orders.
    public static func < (left: AccountID, right: AccountID) -> Bool { left.uuid < right.uuid }
}
