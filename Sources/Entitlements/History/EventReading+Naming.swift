/// Names for facts that came without a notification: what the copy changed tells what happened.
extension EventReading {
    /// The name of the event.
    var kind: HistoryEntry.Kind {
        switch event.body {
        case .transaction: transactionKind
        case .renewalInfo: renewalKind
        case .notification(let notification, _, _, _):
            HistoryEntry.Kind(notificationType: notification.notificationType, subtype: notification.subtype)
                ?? .unknown
        case .claimed, .tokenKnown: .claimed
        case .moved: .transferred
        case .granted: .granted
        case .grantRevoked: .grantRevoked
        case .spent: .balanceChanged
        case .erased: .erased
        case .locked: .locked
        case .freed: .freed
        }
    }

    private var transactionKind: HistoryEntry.Kind {
        guard let change = transaction else { return .unknown }
        if change.isOutdated { return .outdated }
        let now = change.after.transaction
        guard let before = change.before?.transaction else { return firstSeen(now) }
        if now.revocationDate != before.revocationDate {
            guard now.revocationDate != nil else { return .refundReversed }
            return now.isFamilyRevocation ? .familyRevoked : .refunded
        }
        if now.isUpgraded, !before.isUpgraded { return .productChanged }
        if let end = now.expiresDate, let earlier = before.expiresDate, end > earlier { return .extended }
        return .updated
    }

    /// A transaction that nobody had told us of.
    private func firstSeen(_ transaction: Transaction) -> HistoryEntry.Kind {
        if transaction.revocationDate != nil { return transaction.isFamilyRevocation ? .familyRevoked : .refunded }
        guard ProductType.known.contains(transaction.type) else { return .unknown }
        guard transaction.type == .autoRenewable else { return .oneTimePurchase }
        if transaction.isSeatAddition { return .seatsChanged }
        if transaction.content.text("transactionReason") == "RENEWAL" { return .renewed }
        guard let earlier = periodBefore, let purchase = transaction.purchaseDate else {
            return transaction.transactionId == transaction.originalTransactionId ? .initialPurchase : .renewed
        }
        let end = earlier.expiresDate ?? purchase
        if purchase < end, earlier.productId != transaction.productId { return .productChanged }
        return purchase > end ? .resubscribed : .renewed
    }

    private var renewalKind: HistoryEntry.Kind {
        guard let change = renewalInfo else { return .unknown }
        if change.isOutdated { return .outdated }
        let now = change.after.renewalInfo
        let before = change.before?.renewalInfo
        if now.gracePeriodExpiresDate != nil, before?.gracePeriodExpiresDate == nil { return .graceStarted }
        if now.isInBillingRetryPeriod, before?.isInBillingRetryPeriod != true { return .billingIssue }
        guard let before else { return .updated }
        if before.isInBillingRetryPeriod, !now.isInBillingRetryPeriod {
            return now.content.integer("expirationIntent") == nil ? .billingRecovered : .expired
        }
        if let status = now.autoRenewStatus, status != before.autoRenewStatus {
            return status ? .autoRenewEnabled : .autoRenewDisabled
        }
        if let next = now.autoRenewProductId, next != before.autoRenewProductId {
            return next == now.content.text("productId") ? .productChangeWithdrawn : .productChangeScheduled
        }
        let consent = now.content.integer("priceIncreaseStatus")
        if let consent, consent != before.content.integer("priceIncreaseStatus") {
            return consent == 1 ? .priceIncreaseAccepted : .priceIncreasePending
        }
        return .updated
    }

    /// When it happened in the world; when it was signed where Apple names no date, and when we learned it where nobody does.
    func effectiveAt(_ kind: HistoryEntry.Kind) -> Milliseconds {
        let fact = transaction?.said.transaction
        switch event.body {
        case .granted(let grant): return grant.from
        case .claimed, .moved, .tokenKnown, .grantRevoked, .spent, .erased, .locked, .freed: return event.learnedAt
        case .transaction, .renewalInfo, .notification: break
        }
        let dated: Milliseconds? =
            switch kind {
            case .initialPurchase, .oneTimePurchase, .renewed, .resubscribed, .billingRecovered, .seatsChanged:
                fact?.purchaseDate
            case .productChanged: fact?.isUpgraded == true ? nil : fact?.purchaseDate
            case .refunded, .familyRevoked: fact?.revocationDate
            case .expired: fact?.expiresDate
            default: nil
            }
        return dated ?? signedDate ?? event.learnedAt
    }

    private var signedDate: Milliseconds? {
        if case .notification(let notification, _, _, _) = event.body, let signed = notification.signedDate {
            return signed
        }
        let dates = [transaction?.said.lastSigned, renewalInfo?.said.lastSigned].compactMap { $0 }
        return dates.filter { $0 != unsignedDate }.max()
    }
}
