/// Something that gives, gave or will give access: a transaction through the catalog, or an operator's grant (rules.md R4).
public struct Grantor: Sendable, Hashable {
    /// What it is.
    public enum Origin: Sendable, Hashable {
        /// A transaction, and its product's service level.
        case transaction(Transaction, level: Int64)
        case grant(Grant, grantedAt: Milliseconds, revokedAt: Milliseconds?)
    }

    /// What it is.
    public let origin: Origin
    /// What it unlocks.
    public let entitlements: [String]
    /// Where it would begin and what may end it, the earliest first; the first one does.
    public let start: Milliseconds
    /// All that bounds it, ascending.
    public let bounds: [Bound]
    /// The end that the first bound sets, grace not counted.
    public let regularEnd: Milliseconds
    /// When Apple's grace period prolongs it: until then (rules.md R3).
    public let graceEnd: Milliseconds?
    /// Its access, for this account: ascending, never empty parts.
    public let intervals: [Interval]

    /// Something that ends a grantor.
    public struct Bound: Sendable, Hashable {
        /// When.
        public var at: Milliseconds
        /// Why.
        public var cause: Cause
        /// The rule that says so, for instance `R2`.
        public var rule: String
        /// The other transaction that says so, if one does.
        public var by: String?
    }

    /// Why a grantor ends.
    public enum Cause: String, Sendable, Hashable {
        case expiry, refund, nextPeriod, upgraded, duration, grantEnd, grantRevoked
    }

    /// The transaction's id, or the grant's.
    public var id: String {
        switch origin {
        case .transaction(let transaction, _): transaction.transactionId
        case .grant(let grant, _, _): grant.id
        }
    }

    /// The transaction, if it is one.
    public var transaction: Transaction? {
        if case .transaction(let transaction, _) = origin { transaction } else { nil }
    }

    /// The end of its last access.
    public var end: Milliseconds { intervals.last?.end ?? start }

    /// Whether it gives access at an instant.
    public func isActive(at instant: Milliseconds) -> Bool { intervals.contains { $0.contains(instant) } }

    /// Whether a refund or an operator set its end: such an end is final (rules.md R11).
    public var endIsFinal: Bool {
        guard graceEnd == nil, let first = bounds.first, first.at == regularEnd, end == regularEnd else {
            return false
        }
        return bounds.prefix { $0.at == first.at }.contains {
            [.refund, .grantEnd, .grantRevoked].contains($0.cause)
        }
    }
}
