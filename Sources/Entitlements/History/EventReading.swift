/// An event of a stream together with what it changed in what was known before.
struct EventReading {
    /// Its number in the stream, from 1.
    let version: Int64
    let event: Event
    /// The signed transaction it brought.
    let transaction: FactChange<TransactionCopy>?
    /// The signed renewal info it brought.
    let renewalInfo: FactChange<RenewalCopy>?
    /// The last period of the lineage that began before the transaction's, as known then.
    let periodBefore: Transaction?
    /// Whose the lineage was before an event that moved it.
    let ownerBefore: AccountID?
    /// What it did to the ledger.
    let lines: [LedgerLine]

    /// Whether it brought something older than what was known, and nothing new.
    var isOutdated: Bool {
        let isOld = transaction?.isOutdated ?? false || renewalInfo?.isOutdated ?? false
        return isOld && !(transaction?.isNews ?? false) && !(renewalInfo?.isNews ?? false)
    }
}

/// What a copy did to the newest word on its key (rules.md R1).
struct FactChange<Copy: SignedCopy> {
    /// The copy that came.
    let said: Copy
    /// The newest word before.
    let before: Copy?
    /// The newest word after.
    let after: Copy

    /// Whether something said otherwise is newer.
    var isOutdated: Bool { after.content != said.content }
    /// Whether the newest word is another one now.
    var isNews: Bool { before?.content != after.content }
}

extension EventReading {
    /// Reads a stream from its first event, or from the one behind those that an erasure emptied; `notes` take their turn as in
    /// `AccountState.fold`.
    static func read(
        _ events: [Event], after erased: Int64, notes: [SigningNote], account: AccountID, catalogs: CatalogHistory
    ) -> [EventReading] {
        var state = AccountState(account: account)
        var replay = LedgerReplay(catalogs: catalogs, policies: catalogs.current.policies)
        var rest = notes[...]
        var periods: [String: PeriodOrder] = [:]
        return events.enumerated().map { index, event in
            while let note = rest.first, note.recordedAt < event.recordedAt {
                state.apply(note)
                if case .transaction(let said) = note.object,
                    let newest = state.lineages[said.originalTransactionId]?.transactions[said.transactionId]?.newest
                {
                    periods[said.originalTransactionId, default: PeriodOrder()].put(newest)
                }
                rest.removeFirst()
            }
            let (transaction, renewalInfo) = event.facts
            let entered = state.ledger.count
            // No copy of the lineage outlives this: applying the event would have to copy all its transactions.
            let (transactionBefore, renewalBefore, periodBefore, ownerBefore) = {
                let lineage = event.lineage.flatMap { state.lineages[$0] }
                let purchase = transaction?.purchaseDate
                let period = purchase.flatMap { periods[lineage?.id ?? ""]?.last(before: $0) }
                return (
                    transaction.flatMap { lineage?.transactions[$0.transactionId]?.copies.newest },
                    lineage?.renewals.newest, period.flatMap { lineage?.transactions[$0]?.newest },
                    event.movesLineage ? lineage?.owner(at: event.learnedAt) : nil
                )
            }()
            state.apply(event)
            let after = event.lineage.flatMap { state.lineages[$0] }
            if let after, let newest = transaction.flatMap({ after.transactions[$0.transactionId]?.newest }) {
                periods[after.id, default: PeriodOrder()].put(newest)
            }
            return EventReading(
                version: erased + Int64(index) + 1, event: event,
                transaction: transaction.map {
                    let said = TransactionCopy($0, learnedAt: event.learnedAt)
                    let newest = after?.transactions[$0.transactionId]?.copies.newest
                    return FactChange(said: said, before: transactionBefore, after: newest ?? said)
                },
                renewalInfo: renewalInfo.map {
                    let said = RenewalCopy($0, learnedAt: event.learnedAt)
                    return FactChange(said: said, before: renewalBefore, after: after?.renewals.newest ?? said)
                },
                periodBefore: periodBefore, ownerBefore: ownerBefore,
                lines: state.ledger.dropFirst(entered).compactMap { replay.apply($0) })
        }
    }
}

extension Event {
    /// The signed objects in it.
    fileprivate var facts: (Transaction?, RenewalInfo?) {
        switch body {
        case .transaction(let transaction, _): (transaction, nil)
        case .renewalInfo(let renewalInfo): (nil, renewalInfo)
        case .notification(_, let transaction, let renewalInfo, _): (transaction, renewalInfo)
        default: (nil, nil)
        }
    }

    fileprivate var movesLineage: Bool {
        switch body {
        case .moved, .locked, .freed: true
        default: false
        }
    }
}
