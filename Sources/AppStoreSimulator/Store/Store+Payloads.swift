import Entitlements

/// What is signed of a lineage (signed-data.md section 2), and its status (entitlement-facts.md section 4).
extension Store {
    /// The newest period of a lineage.
    func newest(_ subscription: Subscription) -> Purchase? {
        subscription.periods.last.flatMap { purchases[$0] }
    }

    /// The period that has begun last.
    func current(_ subscription: Subscription) -> Purchase? {
        subscription.periods.lazy.reversed().compactMap { purchases[$0] }.first { $0.purchaseDate <= now }
            ?? newest(subscription)
    }

    /// Apple's status, 1 to 5, at `now`.
    func status(_ subscription: Subscription) -> Int64 {
        guard let current = current(subscription), let newest = newest(subscription) else { return 2 }
        if current.revocation != nil, current.transactionId == newest.transactionId { return 5 }
        switch subscription.phase {
        case .grace: return 4
        case .retry: return 3
        case .expired: return 2
        case .running: return now < newest.expiresDate ?? .max ? 1 : 2
        }
    }

    /// The renewal info of a lineage, signed at an instant.
    func renewalInfo(
        _ subscription: Subscription, appTransactionId: String, signedAt: Milliseconds
    ) -> JSONObject {
        var fields = Fields()
        let (intent, isRetrying, grace) = trouble(subscription)
        let newest = newest(subscription)
        fields.add("expirationIntent", intent?.rawValue)
        fields.add("originalTransactionId", subscription.originalTransactionId)
        fields.add("autoRenewProductId", subscription.nextProduct)
        fields.add("productId", newest?.product.id)
        fields.add("autoRenewStatus", subscription.isAutoRenewing ? 1 : 0)
        fields.add("isInBillingRetryPeriod", isRetrying)
        fields.add("priceIncreaseStatus", subscription.priceIncrease.map { $0.agrees == true ? 1 : 0 })
        fields.add("gracePeriodExpiresDate", grace)
        // The price of a renewal that will not be is left out.
        if subscription.isAutoRenewing, let product = catalog.products[subscription.nextProduct] {
            fields.add("renewalPrice", nextPrice(subscription, product))
            fields.add("currency", storefront.currency)
        }
        if let offer = subscription.runningOffer?.offer {
            fields.add("offerType", offer.kind.rawValue)
            fields.add("offerIdentifier", offer.identifier)
            fields.add("offerDiscountType", offer.discount.rawValue)
            fields.add("offerPeriod", offer.periodText)
        }
        fields.add("signedDate", signedAt)
        fields.add("environment", settings.environment.rawValue)
        fields.add("recentSubscriptionStartDate", subscription.recentStart)
        fields.add("renewalDate", newest?.expiresDate)
        fields.add("appTransactionId", appTransactionId)
        fields.add("appAccountToken", subscription.appAccountToken)
        return fields.object
    }

    private func trouble(_ subscription: Subscription) -> (Subscription.Intent?, Bool?, Milliseconds?) {
        switch subscription.phase {
        case .running: (nil, nil, nil)
        // Apple was seen to say false in grace: it must not be what tells grace.
        case .grace(let until): (nil, false, until)
        case .retry: (.billing, true, nil)
        case .expired(let intent): (intent, false, nil)
        }
    }

    /// What the next period costs.
    func nextPrice(_ subscription: Subscription, _ product: SaleProduct) -> Int64 {
        if let running = subscription.runningOffer, running.remaining > 0 { return running.offer.price }
        if let increase = subscription.priceIncrease, increase.product == product.id { return increase.price }
        return subscription.agreedPrices[product.id] ?? price(of: product)
    }

    /// What a new customer pays for one piece.
    func price(of product: SaleProduct) -> Int64 { raisedPrices[product.id] ?? product.price }
}
