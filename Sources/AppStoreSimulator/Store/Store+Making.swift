import Entitlements

/// Brings transactions into being.
extension Store {
    /// What a new transaction is of.
    struct Draft {
        var product: SaleProduct
        var customer: String
        var start: Milliseconds
        var end: Milliseconds?
        var quantity: Int64 = 1
        var token: String?
        var isRenewal = false
        var price: Int64
        var offer: SaleOffer?
        /// The purchaser's transaction.
        var sharedFrom: String?
        /// The lineage it goes on with; nil begins one.
        var lineage: Subscription?
    }

    /// Makes the transaction and puts it where it belongs. Returns its id.
    @discardableResult
    mutating func make(_ draft: Draft) -> String {
        let number = number()
        let id = String(number)
        let isSubscription = draft.product.type == .autoRenewable
        let purchase = Purchase(
            transactionId: id, originalTransactionId: draft.lineage?.originalTransactionId ?? id,
            webOrderLineItemId: isSubscription ? String(self.number()) : nil,
            orderId: "M\(String(number, radix: 36).uppercased())", customer: draft.customer, product: draft.product,
            purchaseDate: draft.start,
            // Apple dates the first purchase of a subscription a second or two later than the purchase itself.
            originalPurchaseDate: draft.lineage?.originalPurchaseDate ?? draft.start + (isSubscription ? 1000 : 0),
            expiresDate: draft.end, quantity: draft.quantity, appAccountToken: draft.token,
            isShared: draft.sharedFrom != nil, isRenewal: draft.isRenewal, price: draft.price, offer: draft.offer,
            sharedFrom: draft.sharedFrom)
        purchases[id] = purchase
        customers[draft.customer]?.purchases.append(id)
        touch(id)
        return id
    }

    /// Begins a lineage with its first transaction.
    mutating func begin(_ draft: Draft, sharedFrom: String? = nil) -> String {
        let id = make(draft)
        guard let group = draft.product.group, let purchase = purchases[id] else { return id }
        subscriptions[id] = Subscription(
            originalTransactionId: id, customer: draft.customer, group: group,
            originalPurchaseDate: purchase.originalPurchaseDate, sharedFrom: sharedFrom, periods: [id],
            nextProduct: draft.product.id, recentStart: draft.start, appAccountToken: draft.token)
        customers[draft.customer]?.subscriptions.append(id)
        return id
    }

    /// Adds a period to a lineage that exists.
    mutating func append(_ draft: Draft, to lineage: String) -> String {
        var draft = draft
        draft.lineage = subscriptions[lineage]
        if let last = draft.lineage.flatMap(newest), let ended = last.expiresDate,
            draft.start > ended, draft.start - ended > settings.runGap
        {
            subscriptions[lineage]?.recentStart = draft.start
        }
        let id = make(draft)
        subscriptions[lineage]?.periods.append(id)
        subscriptions[lineage]?.phase = .running
        return id
    }

    /// The end of a period of a product that begins at an instant.
    func end(of product: SaleProduct, offer: SaleOffer?, from start: Milliseconds) -> Milliseconds? {
        guard let period = product.period else { return nil }
        return offer?.end(from: start) ?? period.end(from: start, count: 1)
    }

    /// Puts a lineage on the agenda anew, after anything that may move what is next.
    mutating func schedule(_ lineage: String) {
        guard let subscription = subscriptions[lineage], subscription.sharedFrom == nil else { return }
        agenda.set(lineage, due: due(subscription))
    }
}
