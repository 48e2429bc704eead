/// All that is known of the transactions of one `originalTransactionId` in one environment, and of whose they are.
public struct Lineage: Sendable, Hashable {
    /// The `originalTransactionId`.
    public let id: String
    /// Transactions by `transactionId`.
    public internal(set) var transactions: [String: TransactionFacts] = [:]
    /// Distinct renewal infos.
    public internal(set) var renewals: [RenewalCopy] = []
    /// Notifications seen, by their UUID text.
    public internal(set) var notifications: Set<String> = []
    /// The push that took it while it belonged to nobody.
    public internal(set) var claim: Claim?
    /// Restores and operators' transfers, in the order recorded.
    public internal(set) var moves: [Move] = []
    /// When its owner was erased, while it is not freed.
    public internal(set) var lockedAt: Milliseconds?
    /// Owner of a consumable: the first one found, since ledger entries are never rewritten (rules.md R6).
    public internal(set) var creditedTo: AccountID?

    /// A lineage of which nothing is known yet.
    public init(id: String) { self.id = id }

    /// A push into an unbound lineage (rules.md R7.3).
    public struct Claim: Sendable, Hashable {
        /// Who pushed.
        public var account: AccountID
        /// What was pushed.
        public var transactionId: String
        /// When.
        public var at: Milliseconds
    }

    /// A restore, or an operator's transfer (rules.md R7.4).
    public struct Move: Sendable, Hashable {
        /// The new owner.
        public var account: AccountID
        /// From when.
        public var at: Milliseconds
        /// Whose wish.
        public var cause: Event.MoveCause
    }

    /// The newest renewal info (rules.md R1).
    public var renewalInfo: RenewalInfo? { renewals.newest?.renewalInfo }

    /// Whether its purchases are consumables: those never move (rules.md R6).
    public var isConsumable: Bool { !consumables.isEmpty }

    /// Transactions whose newest copy is a consumable: asked at every event, so not looked for each time.
    private var consumables: Set<String> = []

    /// To be told when the newest copy of a transaction may have become another one.
    mutating func newestMayHaveChanged(of id: String) {
        if transactions[id]?.newest?.type == .consumable {
            consumables.insert(id)
        } else if !consumables.isEmpty {
            consumables.remove(id)
        }
    }
}

/// The distinct copies of one transaction.
public struct TransactionFacts: Sendable, Hashable {
    /// At least one.
    public internal(set) var copies: [TransactionCopy] = []
    /// Accounts named by its tokens that we knew, in a way that lets the token speak (rules.md R7.1, R7.2).
    public internal(set) var knownTokens: Set<AccountID> = []
    /// What the ledger holds of it (rules.md R6).
    public internal(set) var ledger: LedgerStatus = .none

    /// The newest copy (rules.md R1).
    public var newest: Transaction? { copies.newest?.transaction }

    /// The token of the newest copy that has one: a copy without takes none away (rules.md R7.1).
    public var token: AccountID? {
        copies.filter { $0.transaction.appAccountToken != nil }.newest?.transaction.appAccountToken
    }

    /// What was entered for a consumable.
    public enum LedgerStatus: Sendable, Hashable {
        case none, credited
        case refunded(percentage: Int64)
    }
}
