public import FoundationEssentials

/// An account of the app, a UUID. Upper and lower case are equal (rules.md R7).
public struct AccountID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The UUID.
    public let uuid: UUID

    /// The account of that UUID.
    public init(_ uuid: UUID) { self.uuid = uuid }

    /// The account named by a text; nil when it is no UUID or the zero UUID, which names nobody (rules.md R7).
    public init?(_ text: String) {
        guard let uuid = UUID(uuidString: text), uuid != Self.zero else { return nil }
        self.init(uuid)
    }

    private static let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    /// Stands in for "no account"; no text names it.
    public static let nobody = AccountID(zero)

    /// Lower case, as Apple writes tokens.
    public var description: String { uuid.uuidString.lowercased() }

    /// By bytes, for stable orders.
    public static func < (left: AccountID, right: AccountID) -> Bool { left.uuid < right.uuid }
}
