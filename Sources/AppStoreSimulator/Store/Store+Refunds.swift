import Entitlements

/// Refunds, requests and reversals (entitlement-facts.md section 5).
extension Store {
    mutating func refund(_ target: PurchaseTarget, percentage: Int64?, reason: Int64) throws(ActRefusal) -> [Happening]
    {
        let purchase = try paid(target)
        guard purchase.revocation == nil else { throw .notAllowed("\(purchase.transactionId) is refunded already") }
        let share = percentage ?? 100_000
        let revocation = Purchase.Revocation(
            date: today, reason: reason, type: share == 100_000 ? "REFUND_FULL" : "REFUND_PRORATED", percentage: share)
        purchases[purchase.transactionId]?.revocation = revocation
        touch(purchase.transactionId)
        var news = news()
        tell("REFUND", about: purchase.transactionId, in: &news)
        takeFromFamily(purchase, in: &news)
        schedule(purchase.originalTransactionId)
        return [news]
    }

    /// What the purchaser lost the members lose, too. An old period is nobody's any more.
    private mutating func takeFromFamily(_ purchase: Purchase, in news: inout Happening) {
        guard let lineage = subscriptions[purchase.originalTransactionId] else {
            revokeCopies(
                of: purchase.transactionId, among: customers[purchase.customer]?.members ?? [], in: &news)
            return
        }
        guard (purchase.expiresDate ?? 0) > now, !purchase.isUpgraded else { return }
        for member in lineage.members { revoke(member, in: &news) }
        subscriptions[lineage.originalTransactionId]?.members = []
    }

    mutating func reverseRefund(_ target: PurchaseTarget) throws(ActRefusal) -> [Happening] {
        let purchase = try paid(target)
        guard purchase.revocation != nil else { throw .notAllowed("\(purchase.transactionId) is not refunded") }
        purchases[purchase.transactionId]?.revocation = nil
        touch(purchase.transactionId)
        var news = news()
        tell("REFUND_REVERSED", about: purchase.transactionId, in: &news)
        // The family has again what it would have, had there been no refund.
        if purchase.isSubscription {
            shareLineage(purchase.originalTransactionId, in: &news)
        } else if purchase.product.isFamilyShareable, purchase.product.type == .nonConsumable {
            for member in customers[purchase.customer]?.members ?? [] {
                shareOnce(purchase.transactionId, with: member, in: &news)
            }
        }
        schedule(purchase.originalTransactionId)
        return [news]
    }

    mutating func requestRefund(_ target: PurchaseTarget, reason: String) throws(ActRefusal) -> [Happening] {
        let purchase = try paid(target)
        guard purchase.revocation == nil else { throw .notAllowed("\(purchase.transactionId) is refunded already") }
        var happenings: [Happening] = []
        // The store switches the renewal off of what is asked back while it runs.
        if let lineage = subscriptions[purchase.originalTransactionId], lineage.isAutoRenewing, !lineage.isExpired,
            (purchase.expiresDate ?? 0) > now
        {
            happenings.append(switchRenewal(lineage.originalTransactionId, false))
        }
        // Only these two kinds are asked about (notifications.md section 2).
        if purchase.isSubscription || purchase.product.type == .consumable {
            var news = news()
            tell("CONSUMPTION_REQUEST", about: purchase.transactionId, reason: reason, in: &news)
            happenings.append(news)
        }
        return happenings
    }

    mutating func declineRefund(_ target: PurchaseTarget) throws(ActRefusal) -> [Happening] {
        let purchase = try paid(target)
        guard purchase.revocation == nil else { throw .notAllowed("\(purchase.transactionId) is refunded already") }
        var news = news()
        tell("REFUND_DECLINED", about: purchase.transactionId, in: &news)
        return [news]
    }

    private func paid(_ target: PurchaseTarget) throws(ActRefusal) -> Purchase {
        let purchase = try purchase(target)
        guard !purchase.isShared else {
            throw .notAllowed("\(purchase.transactionId) is shared by a family: its purchaser's can be refunded")
        }
        return purchase
    }
}
