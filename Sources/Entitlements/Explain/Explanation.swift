/// Why an account's answer is what it is: the same derivation as the snapshot, with every candidate, every bound and the event
/// that said so. Pure.
public struct Explanation: Sendable {
    /// The answer that is explained.
    public let snapshot: Snapshot
    /// With only what was received up to then; nil: with everything.
    public let knownAt: Milliseconds?
    /// When the account was erased, if it was.
    public let erasedAt: Milliseconds?
    /// One for every entitlement that anything known of this account could unlock, by id.
    public let entitlements: [EntitlementReasons]
    /// Transactions that no entitlement is concerned with: unknown products and types; consumables credit balances instead.
    public let others: [Candidate]
    /// Every lineage: whose it is, its renewal, what came too late to count.
    public let lineages: [LineageReasons]
    /// Every balance with the lines that made it.
    public let balances: [BalanceReasons]

    /// Why an entitlement is or is not active.
    public struct EntitlementReasons: Sendable {
        /// The entitlement.
        public var id: String
        /// Its entry; nil when nothing ever granted it.
        public var entry: EntitlementEntry?
        /// All access there was, is and will be as far as known.
        public var intervals: [Interval]
        /// Everything that could grant it: the describing one first, then by end, the later first.
        public var candidates: [Candidate]
        /// Why the first one describes.
        public var choice: Choice?
        /// What changes by time alone, next.
        public var next: TimedChange?
        /// What else could change it.
        public var possible: [PossibleChange]
    }

    /// Why one grantor describes the entitlement rather than another (rules.md R4).
    public struct Choice: Sendable, Hashable {
        /// The describing grantor.
        public var id: String
        /// The one that would describe without it; nil when it is alone.
        public var runnerUp: String?
        /// What decided: `active`, `laterEnd`, `transactionBeforeGrant`, `purchasedBeforeShared`, `higherLevel`,
        /// `laterPurchase`, `greaterTransactionId`, `earlierGrant`; nil when it is alone.
        public var criterion: String?
    }

    /// What changes by time alone.
    public struct TimedChange: Sendable, Hashable {
        /// When.
        public var at: Milliseconds
        /// The entry from then on.
        public var after: EntitlementEntry
        /// Whether it is active before.
        public var isActiveBefore: Bool
        /// Whether another grantor describes it from then on.
        public var describesAnother: Bool
    }

    /// Something that may happen and what would follow.
    public struct PossibleChange: Sendable, Hashable {
        /// What may happen.
        public var kind: Kind
        /// To which transaction, grant or lineage.
        public var subject: String
        /// What would follow, as a sentence.
        public var effect: String

        /// What may happen.
        public enum Kind: String, Sendable, Hashable {
            case renewal, recovery, refund, refundReversal, restore, grantRevocation, successor, catalogChange
        }
    }

    /// Whose a lineage is and what is known of its renewal.
    public struct LineageReasons: Sendable {
        /// The `originalTransactionId`.
        public var id: String
        /// Who owns it from when on, and which event says so.
        public var owners: [Owner]
        /// The newest renewal info and the event that told what it says.
        public var renewalInfo: RenewalInfo?
        /// See `renewalInfo`.
        public var renewalToldBy: HistoryEntry?
        /// While the store tries to charge: how long recovery is to be expected (rules.md R3).
        public var watchedUntil: Milliseconds?
        /// Facts that were older than what was known and changed nothing.
        public var outdated: [OutdatedFact]
        /// Transactions marked as replaced whose successor is not known: the store should be asked (rules.md R2).
        public var withoutSuccessor: [String]
        /// Whose the answer is.
        var account: AccountID
        /// Events whose words Apple has not published, or that we do not know yet (rules.md R8).
        public var unknown: [HistoryEntry]
    }

    /// An owner of a lineage.
    public struct Owner: Sendable {
        /// Whose, from when on, and why.
        public var span: OwnerSpan
        /// The event that says so.
        public var toldBy: HistoryEntry?
    }

    /// A signed object that came after a newer one on the same key (rules.md R1).
    public struct OutdatedFact: Sendable {
        /// The event that brought it.
        public var event: HistoryEntry
        /// Whether it is a renewal info; else a transaction.
        public var isRenewalInfo: Bool
        /// When it was signed.
        public var signedDate: Milliseconds
        /// When the word that was already there was signed.
        public var newerSignedDate: Milliseconds
    }

    /// A balance and its lines.
    public struct BalanceReasons: Sendable {
        /// The balance.
        public var currency: String
        /// What it is.
        public var amount: Int64
        /// What refunds owed and could not take.
        public var shortfall: Int64
        /// Line by line, in log order.
        public var lines: [LedgerLine]
    }
}
