/// An app's choices where the rules leave one.
public struct Policies: Sendable, Hashable {
    /// Whether access lasts through Apple's grace period (rules.md R3).
    public var honorGracePeriod: Bool = true
    /// What a refund may do to a balance (rules.md R6).
    public var refundDebt: RefundDebt = .floor
    /// Who may take over a lineage by a restore (rules.md R7).
    public var transfer: Transfer = .onRestore
    /// Restores that may move one lineage within 30 days (rules.md R7).
    public var transferLimit: Int64 = 2
    /// How long a client may answer without a fetch (rules.md R11).
    public var offlineGrace: Milliseconds = 3 * Time.day
    /// What a client answers past that limit (rules.md R11).
    public var staleAccess: StaleAccess = .keep

    /// The defaults.
    public init() {}

    /// What a refund may do to a balance.
    public enum RefundDebt: String, Sendable, Hashable, CaseIterable {
        /// Take at most what is left.
        case floor
        /// Let the balance go below zero.
        case negative
    }

    /// Who may take over a lineage by a restore.
    public enum Transfer: String, Sendable, Hashable, CaseIterable {
        case onRestore, ifInactive, never
    }

    /// What a client answers past the offline limit.
    public enum StaleAccess: String, Sendable, Hashable, CaseIterable {
        case keep, deny
    }
}
