import Entitlements

/// What happens by itself: renewals ahead of time, failures, the end of grace, the end.
extension Store {
    /// When something is next for a purchaser's lineage.
    func due(_ subscription: Subscription) -> Milliseconds? {
        guard let newest = newest(subscription), let expires = newest.expiresDate else { return nil }
        switch subscription.phase {
        case .expired: return nil
        case .grace(let until), .retry(let until): return until
        case .running:
            guard reasonToEnd(subscription) == nil else { return expires + settings.expiryNotice }
            guard customers[subscription.customer]?.billingFails == nil else { return expires }
            return max(now, expires - min(settings.renewsAhead, (expires - newest.purchaseDate) / 4))
        }
    }

    /// Why it will not renew.
    private func reasonToEnd(_ subscription: Subscription) -> Subscription.Intent? {
        if !subscription.isAutoRenewing { return subscription.priceIncrease?.agrees == false ? .noConsent : .cancelled }
        if let increase = subscription.priceIncrease, increase.agrees != true { return .noConsent }
        return withdrawn.contains(subscription.nextProduct) ? .notForSale : nil
    }

    /// The time of a lineage has come.
    mutating func happens(to lineage: String) -> [Happening] {
        guard let subscription = subscriptions[lineage] else { return [] }
        switch subscription.phase {
        case .expired: return []
        case .grace(let until): return [graceEnds(subscription, at: until)]
        case .retry: return [expire(lineage, .billing)]
        case .running:
            if let reason = reasonToEnd(subscription) { return [expire(lineage, reason)] }
            if let failure = customers[subscription.customer]?.billingFails { return [fails(subscription, failure)] }
            guard let start = newest(subscription)?.expiresDate else { return [] }
            return [renew(lineage, from: start, subtype: nil)]
        }
    }

    /// The next period, charged now and beginning at `start`: for the purchaser and for who shares.
    mutating func renew(_ lineage: String, from start: Milliseconds, subtype: String?) -> Happening {
        var news = news()
        guard let subscription = subscriptions[lineage], let product = catalog.products[subscription.nextProduct] else {
            return news
        }
        let offer = subscription.runningOffer.flatMap { $0.remaining > 0 ? $0.offer : nil }
        let transaction = append(
            Draft(
                product: product, customer: subscription.customer, start: start,
                end: end(of: product, offer: offer, from: start), token: subscription.appAccountToken, isRenewal: true,
                price: nextPrice(subscription, product), offer: offer), to: lineage)
        if let remaining = subscription.runningOffer?.remaining {
            subscriptions[lineage]?.runningOffer?.remaining = remaining - 1
            if remaining <= 1 { subscriptions[lineage]?.runningOffer = nil }
        }
        if let increase = subscription.priceIncrease, increase.product == product.id {
            subscriptions[lineage]?.agreedPrices[product.id] = increase.price
            subscriptions[lineage]?.priceIncrease = nil
        }
        tell("DID_RENEW", subtype, about: transaction, in: &news)
        follow(lineage, with: transaction, type: "DID_RENEW", subtype: subtype, in: &news)
        return news
    }

    private mutating func fails(_ subscription: Subscription, _ failure: Customer.BillingFailure) -> Happening {
        let expires = newest(subscription)?.expiresDate ?? now
        let id = subscription.originalTransactionId
        let phase: Subscription.Phase =
            failure.hasGrace ? .grace(until: expires + settings.grace) : .retry(until: expires + settings.retry)
        for member in family(id) { subscriptions[member]?.phase = phase }
        var news = news()
        tellFamily(of: id, "DID_FAIL_TO_RENEW", failure.hasGrace ? "GRACE_PERIOD" : nil, in: &news)
        return news
    }

    private mutating func graceEnds(_ subscription: Subscription, at end: Milliseconds) -> Happening {
        let id = subscription.originalTransactionId
        guard subscription.isAutoRenewing else { return expire(id, .cancelled) }
        let retry = max(end, (newest(subscription)?.expiresDate ?? now) + settings.retry)
        for member in family(id) { subscriptions[member]?.phase = .retry(until: retry) }
        var news = news()
        tellFamily(of: id, "GRACE_PERIOD_EXPIRED", nil, in: &news)
        return news
    }

    /// It has ended. What was refunded meanwhile has been told already.
    mutating func expire(_ lineage: String, _ reason: Subscription.Intent) -> Happening {
        var news = news()
        for member in family(lineage) {
            guard let subscription = subscriptions[member] else { continue }
            let wasRevoked = status(subscription) == 5
            subscriptions[member]?.phase = .expired(reason)
            subscriptions[member]?.isAutoRenewing = false
            if !wasRevoked, let newest = newest(subscription) {
                tell("EXPIRED", reason.subtype, about: newest.transactionId, in: &news)
            }
        }
        // Whoever subscribes again shares again.
        subscriptions[lineage]?.members = []
        return news
    }
}
