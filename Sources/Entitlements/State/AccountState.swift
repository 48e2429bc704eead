/// The fold of one stream: facts, binding evidence, grants and the ledger. It holds no conclusion, so a catalog change needs
/// no refold, and merging facts commutes (rules.md R1).
public struct AccountState: Sendable, Hashable {
    /// Whose stream.
    public let account: AccountID
    /// Number of events folded; the snapshot's `version`.
    public internal(set) var version: Int64 = 0
    /// The last event's `recordedAt`: a stream's never fall, so that "known at" is a prefix.
    public internal(set) var lastRecordedAt: Milliseconds = .min
    /// Lineages by `originalTransactionId`.
    public internal(set) var lineages: [String: Lineage] = [:]
    /// Operators' grants in the order given.
    public internal(set) var grants: [GrantState] = []
    /// The ledger in log order.
    public internal(set) var ledger: [LedgerEntry] = []
    /// Spends by their key.
    public internal(set) var spends: [String: Spend] = [:]
    /// When the account was erased.
    public internal(set) var erasedAt: Milliseconds?

    /// A stream without events.
    public init(account: AccountID) { self.account = account }

    /// A grant and its end.
    public struct GrantState: Sendable, Hashable {
        /// The grant.
        public var grant: Grant
        /// When it was given.
        public var grantedAt: Milliseconds
        /// When it was taken back.
        public var revokedAt: Milliseconds?
    }

    /// Folds the next event of the stream.
    public mutating func apply(_ event: Event) {
        version += 1
        lastRecordedAt = max(lastRecordedAt, event.recordedAt)
        switch event.body {
        case .transaction(let transaction, let tokenIsKnown):
            edit(transaction.originalTransactionId, at: event.recordedAt) {
                $0.merge(transaction, tokenIsKnown: tokenIsKnown, learnedAt: event.learnedAt)
            }
        case .renewalInfo(let renewalInfo):
            edit(renewalInfo.originalTransactionId, at: event.recordedAt) {
                $0.renewals.merge(RenewalCopy(renewalInfo, learnedAt: event.learnedAt))
            }
        case .notification(let notification, let transaction, let renewalInfo, let tokenIsKnown):
            let lineage = transaction?.originalTransactionId ?? renewalInfo?.originalTransactionId
            guard let lineage else { return }
            edit(lineage, at: event.recordedAt) {
                $0.notifications.insert(notification.notificationUUID)
                if let transaction {
                    $0.merge(transaction, tokenIsKnown: tokenIsKnown, learnedAt: event.learnedAt)
                }
                if let renewalInfo { $0.renewals.merge(RenewalCopy(renewalInfo, learnedAt: event.learnedAt)) }
            }
        case .claimed(let lineage, let transactionId, let account):
            edit(lineage, at: event.recordedAt) {
                $0.claim = Lineage.Claim(account: account, transactionId: transactionId, at: event.learnedAt)
            }
        case .moved(let lineage, let account, let cause):
            edit(lineage, at: event.recordedAt) {
                $0.moves.append(Lineage.Move(account: account, at: event.learnedAt, cause: cause))
            }
        case .tokenKnown(let lineage, let account):
            edit(lineage, at: event.recordedAt) { $0.makeKnown(account) }
        case .granted(let grant):
            grants.append(GrantState(grant: grant, grantedAt: event.recordedAt))
        case .grantRevoked(let id):
            if let index = grants.firstIndex(where: { $0.grant.id == id && $0.revokedAt == nil }) {
                grants[index].revokedAt = event.recordedAt
            }
        case .spent(let spend):
            spends[spend.idempotencyKey] = spend
            ledger.append(.spend(spend, at: event.recordedAt))
        case .erased:
            self = AccountState(account: account, version: version, erasedAt: event.recordedAt)
        case .locked(let lineage):
            edit(lineage, at: event.recordedAt) { $0.lockedAt = event.learnedAt }
        case .freed(let lineage):
            edit(lineage, at: event.recordedAt) { $0.free() }
        }
    }

    /// Counts an event whose content an erasure removed.
    public mutating func skipErased() { version += 1 }

    private init(account: AccountID, version: Int64, erasedAt: Milliseconds) {
        self.account = account
        self.version = version
        self.erasedAt = erasedAt
        lastRecordedAt = erasedAt
    }

    /// Keeps the signing date of a copy that says nothing new (rules.md R1): no event, no new version.
    mutating func noteSigningDate(of transaction: Transaction) {
        let copy = TransactionCopy(transaction, learnedAt: lastRecordedAt)
        noteSigningDate(copy.lastSigned, ofTransaction: transaction.transactionId) { $0 == copy.content }
    }

    /// The same for a renewal info.
    mutating func noteSigningDate(of renewalInfo: RenewalInfo) {
        let copy = RenewalCopy(renewalInfo, learnedAt: lastRecordedAt)
        noteSigningDate(copy.lastSigned, ofRenewalInfo: renewalInfo.originalTransactionId) { $0 == copy.content }
    }

    /// The same as the log keeps it: the copy of that transaction whose content `matches` was signed then, too.
    public mutating func noteSigningDate(
        _ date: Milliseconds, ofTransaction id: String, where matches: (SignedContent) -> Bool
    ) {
        guard let lineage = lineages.first(where: { $0.value.transactions[id] != nil })?.key else { return }
        edit(lineage, at: lastRecordedAt) {
            $0.transactions[id]?.copies.widen(to: date, where: matches)
            $0.newestMayHaveChanged(of: id)
        }
    }

    /// The same for a renewal info of a lineage.
    public mutating func noteSigningDate(
        _ date: Milliseconds, ofRenewalInfo lineage: String, where matches: (SignedContent) -> Bool
    ) {
        lineages[lineage]?.renewals.widen(to: date, where: matches)
    }

    private mutating func edit(_ id: String, at instant: Milliseconds, _ change: (inout Lineage) -> Void) {
        change(&lineages[id, default: Lineage(id: id)])
        if lineages[id]?.isConsumable == true { enterConsumables(of: id, at: instant) }
    }

    /// Brings the ledger to what the newest facts say of a consumable, once each (rules.md R6).
    private mutating func enterConsumables(of id: String, at instant: Milliseconds) {
        guard var lineage = lineages[id] else { return }
        if lineage.creditedTo == nil { lineage.creditedTo = lineage.ownerTimeline().first { $0.owner != nil }?.owner }
        if lineage.creditedTo == account {
            for (transactionId, var facts) in lineage.transactions.sorted(by: { $0.key < $1.key }) {
                guard let transaction = facts.newest, transaction.type == .consumable else { continue }
                ledger += facts.enter(transaction, at: instant)
                lineage.transactions[transactionId] = facts
            }
        }
        lineages[id] = lineage
    }
}

extension TransactionFacts {
    /// The ledger entries that lead from what is entered to what the newest copy says.
    mutating func enter(_ transaction: Transaction, at instant: Milliseconds) -> [LedgerEntry] {
        guard transaction.ownership == .purchased else { return [] }
        let id = transaction.transactionId
        var entries: [LedgerEntry] = []
        if ledger == .none {
            entries.append(
                .credit(
                    transactionId: id, productId: transaction.productId, quantity: transaction.quantity, at: instant))
            ledger = .credited
        }
        var wanted = LedgerStatus.credited
        if transaction.revocationDate != nil {
            let percentage = transaction.content.integer("revocationPercentage") ?? 100_000
            wanted = .refunded(percentage: min(max(percentage, 0), 100_000))
        }
        guard wanted != ledger else { return entries }
        if case .refunded = ledger { entries.append(.reversal(transactionId: id, at: instant)) }
        if case .refunded(let percentage) = wanted {
            entries.append(.refund(transactionId: id, percentage: percentage, at: instant))
        }
        ledger = wanted
        return entries
    }
}

extension Lineage {
    mutating func merge(_ transaction: Transaction, tokenIsKnown: Bool, learnedAt: Milliseconds) {
        var facts = transactions[transaction.transactionId] ?? TransactionFacts()
        // A locked lineage is deaf to tokens (rules.md R7).
        if tokenIsKnown, lockedAt == nil, let token = transaction.appAccountToken {
            // A token that was only a hint when the lineage was claimed or moved stays one (rules.md R7.2).
            let wasHint = facts.copies.contains { $0.transaction.appAccountToken == token }
            if !wasHint || (claim == nil && moves.isEmpty) { facts.knownTokens.insert(token) }
        }
        facts.copies.merge(TransactionCopy(transaction, learnedAt: learnedAt))
        transactions[transaction.transactionId] = facts
        newestMayHaveChanged(of: transaction.transactionId)
    }

    mutating func makeKnown(_ account: AccountID) {
        guard claim == nil, moves.isEmpty, lockedAt == nil else { return }
        for (id, facts) in transactions
        where facts.copies.contains(where: { $0.transaction.appAccountToken == account }) {
            transactions[id]?.knownTokens.insert(account)
        }
    }

    mutating func free() {
        claim = nil
        moves = []
        lockedAt = nil
        creditedTo = nil
        for id in transactions.keys { transactions[id]?.knownTokens = [] }
    }
}
