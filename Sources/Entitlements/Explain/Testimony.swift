/// Who said what: finds the event from which something is known.
struct Testimony {
    let readings: [EventReading]
    /// History entries of the same events.
    let entries: [HistoryEntry]
    /// Events before the first reading that an erasure emptied.
    private let erased: Int64
    private var byTransaction: [String: [Int]] = [:]
    private var byLineage: [String: [Int]] = [:]

    init(
        _ events: [Event], after erased: Int64, notes: [SigningNote], account: AccountID, catalogs: CatalogHistory
    ) {
        self.erased = erased
        readings = EventReading.read(events, after: erased, notes: notes, account: account, catalogs: catalogs)
        entries = readings.map(\.entry)
        for (index, reading) in readings.enumerated() {
            if let id = reading.transaction?.said.transaction.transactionId {
                byTransaction[id, default: []].append(index)
            }
            if let lineage = reading.event.lineage { byLineage[lineage, default: []].append(index) }
        }
    }

    /// The event since which the newest word on a transaction is such.
    func since(transaction id: String, _ holds: (Transaction) -> Bool) -> HistoryEntry? {
        let indices = byTransaction[id] ?? []
        return since(indices, { readings[$0].transaction.map { holds($0.after.transaction) } ?? false })
            ?? first(indices) { readings[$0].transaction.map { holds($0.said.transaction) } ?? false }
    }

    /// The event since which the newest renewal info of a lineage is such.
    func since(renewalInfoOf lineage: String, _ holds: (RenewalInfo) -> Bool) -> HistoryEntry? {
        let indices = (byLineage[lineage] ?? []).filter { readings[$0].renewalInfo != nil }
        return since(indices, { readings[$0].renewalInfo.map { holds($0.after.renewalInfo) } ?? false })
            ?? first(indices) { readings[$0].renewalInfo.map { holds($0.said.renewalInfo) } ?? false }
    }

    /// The first event that told of a transaction.
    func first(of transaction: String) -> HistoryEntry? { byTransaction[transaction]?.first.map { entries[$0] } }

    /// Readings about a transaction, in order.
    func readings(of transaction: String) -> [EventReading] { (byTransaction[transaction] ?? []).map { readings[$0] } }

    /// Readings about a lineage, in order.
    func readings(ofLineage lineage: String) -> [EventReading] { (byLineage[lineage] ?? []).map { readings[$0] } }

    /// The entry of a reading.
    func entry(_ reading: EventReading) -> HistoryEntry { entries[Int(reading.version - erased) - 1] }

    /// The event about a grant: given, or taken back.
    func grant(_ id: String, isRevocation: Bool) -> HistoryEntry? {
        entries.last { $0.grantId == id && $0.type == (isRevocation ? .grantRevoked : .granted) }
    }

    /// The event that made somebody the owner of a lineage.
    func owner(_ span: OwnerSpan, of lineage: String) -> HistoryEntry? {
        let told = readings(ofLineage: lineage)
        let found: EventReading? =
            switch span.cause {
            case .token:
                told.first { reading in
                    if case .tokenKnown(_, let account) = reading.event.body { return account == span.owner }
                    return reading.namesKnownToken(span.owner)
                }
            case .claim: told.last { if case .claimed = $0.event.body { true } else { false } }
            case .restore, .operator:
                told.last { reading in
                    guard case .moved(_, let account, _) = reading.event.body else { return false }
                    return account == span.owner && reading.event.learnedAt == span.start
                }
            case .locked: told.last { if case .locked = $0.event.body { true } else { false } }
            }
        return found.map(entry)
    }

    /// The first of the last unbroken run of events that hold.
    private func since(_ indices: [Int], _ holds: (Int) -> Bool) -> HistoryEntry? {
        indices.reversed().prefix(while: holds).last.map { entries[$0] }
    }

    private func first(_ indices: [Int], _ holds: (Int) -> Bool) -> HistoryEntry? {
        indices.first(where: holds).map { entries[$0] }
    }
}

extension EventReading {
    /// Whether it brought a transaction whose token named that account while we knew it.
    fileprivate func namesKnownToken(_ account: AccountID?) -> Bool {
        switch event.body {
        case .transaction(let transaction, true), .notification(_, let transaction?, _, true):
            transaction.appAccountToken == account
        default: false
        }
    }
}
