/// Something that grants an entitlement, did, will, or would if something were otherwise.
public struct Candidate: Sendable {
    /// The transaction's id, or the grant's.
    public var id: String
    /// The transaction; nil for an operator's grant.
    public var transaction: Transaction?
    /// The operator's grant; nil for a transaction.
    public var grant: Grant?
    /// What it does at the time asked about.
    public var standing: Standing
    /// Why it gives this account nothing; nil when it gives something at some time.
    public var nothing: Nothing?
    /// Its access for this account.
    public var intervals: [Interval]
    /// Where it begins, and why there.
    public var begins: Beginning?
    /// Everything that may end it, ascending, the deciding one marked.
    public var ends: [End]
    /// The event that first told of it.
    public var toldBy: HistoryEntry?
    /// What was once said of it and is no longer so.
    public var takenBack: [TakenBack]

    /// What a candidate does at the time asked about.
    public enum Standing: String, Sendable, Hashable {
        case active, inGracePeriod, upcoming, over, nothing
    }

    /// Why a transaction gives nothing (rules.md R2, R7).
    public enum Nothing: String, Sendable, Hashable {
        case unknownType, unknownOwnership, productNotInCatalog, noReadableEnd, noPurchaseDate, noDuration
        case revokedFromItsStart, endsBeforeItStarts, replacedFromItsStart, consumable, belongsToAnotherAccount
        case grantNeverBegan
    }

    /// Where access begins.
    public struct Beginning: Sendable, Hashable {
        /// When.
        public var at: Milliseconds
        /// Why there.
        public var cause: Cause

        /// Why access begins where it does.
        public enum Cause: String, Sendable, Hashable {
            /// The purchase, or a renewal's period.
            case purchase
            /// The pass before it runs until then (rules.md R2 `extend`).
            case stacked
            /// The lineage came to this account (rules.md R7).
            case movedHere
            /// The operator said so.
            case grant
        }
    }

    /// Something that ends access.
    public struct End: Sendable {
        /// When.
        public var at: Milliseconds
        /// Why.
        public var cause: Cause
        /// The rule that says so.
        public var rule: String
        /// The other transaction that says so, if one does.
        public var by: String?
        /// That transaction's product, where it is another one than this candidate's.
        public var byProductId: String?
        /// Whether this is the end in force.
        public var isDecisive: Bool
        /// The event that told us.
        public var toldBy: HistoryEntry?

        /// Why access ends.
        public enum Cause: String, Sendable, Hashable {
            case expiry, refund, familyRevoked, nextPeriod, upgraded, duration, grantEnd, grantRevoked
            /// Apple's grace period prolongs it until then (rules.md R3).
            case grace
            /// There is a grace period, and the app's policy does not honour it.
            case graceNotHonoured
            /// The lineage went to another account, or was locked (rules.md R7).
            case movedAway
        }
    }

    /// A word that a newer one took back.
    public struct TakenBack: Sendable {
        /// What had been said: `refund`, or an `expiry` since moved.
        public var cause: End.Cause
        /// From when it would have ended.
        public var at: Milliseconds
        /// The event that had said so.
        public var toldBy: HistoryEntry
        /// The event since which it is otherwise.
        public var takenBackBy: HistoryEntry
    }

    /// The end of its last access; nil when it gives nothing.
    public var end: Milliseconds? { intervals.last?.end }
}
