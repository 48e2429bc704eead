/// One event of a stream, named as people expect it (market names; Apple's own stay beside it).
public struct HistoryEntry: Sendable, Hashable {
    /// The event's number in its stream, from 1; the snapshot's `version` after it.
    public var version: Int64
    /// What happened.
    public var type: Kind
    /// When it happened in the world: a purchase, a refund, a restore.
    public var effectiveAt: Milliseconds
    /// When this stream stored it.
    public var recordedAt: Milliseconds
    /// When the service first heard of it; earlier than `recordedAt` for what was known before the account had it.
    public var learnedAt: Milliseconds
    /// How it came.
    public var source: Event.Source
    /// The transaction it is about.
    public var transactionId: String?
    /// Its lineage.
    public var originalTransactionId: String?
    /// Its product.
    public var productId: String?
    /// Why, in one word of ours or of Apple's.
    public var reason: String?
    /// Apple's type, as written.
    public var notificationType: String?
    /// Apple's subtype, as written.
    public var subtype: String?
    /// The notification's UUID.
    public var notificationUUID: String?
    /// The operator's grant it is about.
    public var grantId: String?
    /// What that grant unlocks.
    public var entitlement: String?
    /// Whose the lineage was before a transfer. For operators: a device must not learn of other accounts.
    public var transferredFrom: AccountID?
    /// Whose it is after. For operators, as above.
    public var transferredTo: AccountID?
    /// What it did to balances.
    public var balanceChanges: [LedgerLine]
    /// Whether it brought something older than what was known, and nothing new: nothing followed from it (rules.md R1).
    public var isOutdated: Bool

    /// What happened, for people: the names of webhooks and dashboards.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case initialPurchase = "initial_purchase"
        case oneTimePurchase = "one_time_purchase"
        case renewed
        case resubscribed
        case billingRecovered = "billing_recovered"
        case autoRenewDisabled = "auto_renew_disabled"
        case autoRenewEnabled = "auto_renew_enabled"
        case productChangeScheduled = "product_change_scheduled"
        case productChangeWithdrawn = "product_change_withdrawn"
        case productChanged = "product_changed"
        case billingIssue = "billing_issue"
        case graceStarted = "grace_started"
        case graceEnded = "grace_ended"
        case expired
        case refunded
        case refundReversed = "refund_reversed"
        case refundRequested = "refund_requested"
        case refundDeclined = "refund_declined"
        case familyRevoked = "family_revoked"
        case priceIncreasePending = "price_increase_pending"
        case priceIncreaseAccepted = "price_increase_accepted"
        case priceChanged = "price_changed"
        case extended
        case extensionFailed = "extension_failed"
        case extensionSummary = "extension_summary"
        case offerRedeemed = "offer_redeemed"
        case seatsChanged = "seats_changed"
        case metadataUpdated = "metadata_updated"
        case migrated
        case consentRescinded = "consent_rescinded"
        case externalPurchase = "external_purchase"
        case test
        /// A newer copy changed something that has no name of its own.
        case updated
        /// A copy older than what was known.
        case outdated
        case claimed
        case transferred
        case granted
        case grantRevoked = "grant_revoked"
        case balanceChanged = "balance_changed"
        case locked
        case freed
        case erased
        case unknown
    }

    init(_ event: Event, version: Int64, type: Kind, effectiveAt: Milliseconds) {
        self.version = version
        self.type = type
        self.effectiveAt = effectiveAt
        recordedAt = event.recordedAt
        learnedAt = event.learnedAt
        source = event.source
        balanceChanges = []
        isOutdated = false
    }
}
