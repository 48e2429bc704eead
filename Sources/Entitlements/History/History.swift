/// What happened to an account, in the order in which its stream learned it. Pure.
public struct History: Sendable, Hashable {
    /// One entry an event.
    public let entries: [HistoryEntry]

    /// Names the events of a stream, the first one first; an erasure emptied `erased` events before it. `notes` are its signing
    /// notes, ascending by their time: without them an old copy may be told as news. `catalogs` price what moved a balance.
    public init(
        account: AccountID, events: [Event], after erased: Int64 = 0, notes: [SigningNote] = [],
        catalogs: CatalogHistory
    ) {
        entries = EventReading.read(events, after: erased, notes: notes, account: account, catalogs: catalogs)
            .map(\.entry)
    }
}

extension EventReading {
    /// The event as the history tells it.
    var entry: HistoryEntry {
        let kind = kind
        var entry = HistoryEntry(event, version: version, type: kind, effectiveAt: effectiveAt(kind))
        entry.originalTransactionId = event.lineage
        entry.isOutdated = isOutdated
        entry.balanceChanges = lines
        if let fact = transaction?.said.transaction {
            entry.transactionId = fact.transactionId
            entry.productId = fact.productId
        } else if let renewalInfo = renewalInfo?.said.renewalInfo {
            entry.productId = renewalInfo.content.text("productId")
        }
        if kind == .refunded || kind == .familyRevoked { entry.reason = transaction?.said.transaction.revocationWord }
        switch event.body {
        case .notification(let notification, _, _, _):
            entry.notificationType = notification.notificationType
            entry.subtype = notification.subtype
            entry.notificationUUID = notification.notificationUUID
            entry.reason = entry.reason ?? notification.reason
        case .claimed(_, let transactionId, let account):
            entry.transactionId = transactionId
            entry.transferredTo = account
            entry.reason = "push"
        case .tokenKnown(_, let account):
            entry.transferredTo = account
            entry.reason = "token"
        case .moved(_, let account, let cause):
            entry.transferredFrom = ownerBefore
            entry.transferredTo = account
            entry.reason = cause.rawValue
        case .granted(let grant):
            entry.grantId = grant.id
            entry.entitlement = grant.entitlement
            entry.reason = grant.reason
        case .grantRevoked(let id): entry.grantId = id
        case .spent: entry.reason = "spend"
        case .locked: entry.transferredFrom = ownerBefore
        case .transaction, .renewalInfo, .erased, .freed: break
        }
        return entry
    }
}
