/// The whole answer for one account in one environment at one time: a pure function of state, catalogs, policies and that
/// time. Never a delta.
public struct Snapshot: Sendable, Hashable {
    /// The app.
    public var bundleId: String
    /// The environment.
    public var environment: Environment
    /// The account.
    public var account: AccountID
    /// Number of events it follows from.
    public var version: Int64
    /// The time asked about.
    public var asOf: Milliseconds
    /// The earliest instant after `asOf` at which anything here changes by time alone (rules.md R4).
    public var nextChangeAt: Milliseconds?
    /// One entry an entitlement that anything ever granted, by id.
    public var entitlements: [EntitlementEntry]
    /// Balances by currency (rules.md R6).
    public var balances: [String: Int64]
    /// Whether the store should be asked (rules.md R2).
    public var needsReconciliation: Bool
    /// How long a client may answer from this without a fetch (rules.md R11).
    public var offlineGrace: Milliseconds
    /// What it answers after that (rules.md R11).
    public var staleAccess: Policies.StaleAccess

    /// The entry of an entitlement; nil when nothing ever granted it.
    public subscript(entitlement: String) -> EntitlementEntry? { entitlements.first { $0.id == entitlement } }
    /// Ids of what is active.
    public var active: [String] { entitlements.filter(\.isActive).map(\.id) }
}

/// One entitlement in a snapshot: its fields are those of the describing grantor (rules.md R4).
public struct EntitlementEntry: Sendable, Hashable {
    /// The entitlement.
    public var id: String
    /// Whether any grantor is active.
    public var isActive: Bool
    /// The describing grantor's state.
    public var state: State
    /// Nil for an operator's grant, as are the other product fields.
    public var productId: String?
    /// Apple's spelling.
    public var productType: ProductType?
    /// Start of the describing period or purchase; a grant's `from`.
    public var purchaseDate: Milliseconds
    /// Of the lineage's first purchase.
    public var originalPurchaseDate: Milliseconds?
    /// The signed end.
    public var expiresDate: Milliseconds?
    /// Only while grace prolongs the describing grantor (rules.md R3).
    public var gracePeriodExpiresDate: Milliseconds?
    /// Nil when unknown or no longer its affair (rules.md R4).
    public var willRenew: Bool?
    /// The product of the next period, when it is another one.
    public var nextProductId: String?
    /// Apple's spelling.
    public var ownershipType: Ownership?
    /// Apple's number of the kind of offer.
    public var offerType: Int64?
    /// When it was refunded or revoked.
    public var revocationDate: Milliseconds?
    /// The describing transaction, or the grant's id.
    public var transactionId: String
    /// Its lineage.
    public var originalTransactionId: String?
    /// Every grantor, past and coming.
    public var sources: [String]
    /// Access intervals that end after `asOf`.
    public var activeIntervals: [Interval]
    /// Whether a refund or an operator set the last end (rules.md R11).
    public var endIsFinal: Bool

    /// What the describing grantor is doing (rules.md R4).
    public enum State: String, Sendable, Hashable, CaseIterable {
        case upcoming, active, inGracePeriod, revoked, inBillingRetry, expired
    }
}
