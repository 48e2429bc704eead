import Entitlements

/// Changes inside a subscription group (entitlement-facts.md 4.1), and the renewal's switch.
extension Store {
    mutating func changePlan(_ order: Order) throws(ActRefusal) -> [Happening] {
        let product = try product(order.product)
        guard !withdrawn.contains(product.id) else { throw .notAllowed("\(product.id) is not for sale any more") }
        guard product.type == .autoRenewable else { throw .notAllowed("\(product.id) is no subscription") }
        guard let lineage = ownLineage(of: order.customer, group: product.group), !lineage.isExpired,
            status(lineage) != 5
        else {
            throw .notAllowed("\(order.customer) has no running subscription in the group of \(product.id): buy it")
        }
        guard !lineage.isInTrouble else {
            throw .notAllowed("charging \(order.customer) fails: recoverBilling comes before a change of plan")
        }
        return try changePlan(lineage, to: product, order, offer: nil)
    }

    /// To a better product, or an equal one of the same length: at once. To anything else: with the next period.
    mutating func changePlan(
        _ lineage: Subscription, to product: SaleProduct, _ order: Order, offer: SaleOffer?
    ) throws(ActRefusal) -> [Happening] {
        guard let newest = newest(lineage), let current = current(lineage) else {
            throw .unknown("the subscription has no period")
        }
        let id = lineage.originalTransactionId
        let isAtOnce =
            product.level > newest.product.level
            || product.level == newest.product.level && product.period == newest.product.period
        if isAtOnce, product.id != newest.product.id { return upgrade(lineage, to: product, order, offer) }

        let isBack = product.id == newest.product.id
        guard !isBack || lineage.nextProduct != product.id || !lineage.isAutoRenewing else {
            throw .notAllowed("\(order.customer) has \(product.id) already, and it renews to it")
        }
        for member in family(id) {
            subscriptions[member]?.nextProduct = product.id
            // Choosing what comes next is a wish that it comes (measured: DOWNGRADE after the renewal was off).
            subscriptions[member]?.isAutoRenewing = true
        }
        subscriptions[id]?.priceIncrease = nil
        if let offer { subscriptions[id]?.runningOffer = .init(offer: offer, remaining: offer.periodsToCharge) }
        let price = price(of: product)
        if !isBack { subscriptions[id]?.agreedPrices[product.id] = price }
        schedule(id)
        var news = news()
        let subtype = isBack ? nil : "DOWNGRADE"
        tell(
            offer == nil ? "DID_CHANGE_RENEWAL_PREF" : "OFFER_REDEEMED", subtype, about: current.transactionId,
            in: &news)
        return [news]
    }

    private mutating func upgrade(
        _ lineage: Subscription, to product: SaleProduct, _ order: Order, _ offer: SaleOffer?
    ) -> [Happening] {
        let id = lineage.originalTransactionId
        for period in lineage.periods where (purchases[period]?.expiresDate ?? 0) > now {
            // Nobody is told of these: one notification comes, with the new transaction.
            purchases[period]?.isUpgraded = true
            touch(period)
        }
        let token = order.appAccountToken ?? (offer == nil ? lineage.appAccountToken : nil)
        let transaction = append(
            Draft(
                product: product, customer: lineage.customer, start: today,
                end: end(of: product, offer: offer, from: today), token: token,
                price: offer?.price ?? price(of: product), offer: offer), to: id)
        subscriptions[id]?.isAutoRenewing = true
        subscriptions[id]?.nextProduct = product.id
        subscriptions[id]?.priceIncrease = nil
        subscriptions[id]?.appAccountToken = token
        noteOffer(offer, of: id, customer: lineage.customer, product)
        var news = news()
        let type = offer == nil ? "DID_CHANGE_RENEWAL_PREF" : "OFFER_REDEEMED"
        tell(type, "UPGRADE", about: transaction, in: &news)
        follow(id, with: transaction, type: type, subtype: "UPGRADE", in: &news)
        schedule(id)
        return [news]
    }

    mutating func setAutoRenew(_ target: PurchaseTarget, _ isOn: Bool) throws(ActRefusal) -> [Happening] {
        let lineage = try subscription(target)
        guard lineage.sharedFrom == nil else {
            throw .notAllowed("\(lineage.customer) does not pay for it: the purchaser decides about the renewal")
        }
        guard !lineage.isExpired else { throw .notAllowed("the subscription has ended: buy it again") }
        guard lineage.isAutoRenewing != isOn else {
            throw .notAllowed("the renewal is \(isOn ? "on" : "off") already")
        }
        return [switchRenewal(lineage.originalTransactionId, isOn)]
    }

    /// Members are told, too (notifications.md section 2).
    mutating func switchRenewal(_ lineage: String, _ isOn: Bool) -> Happening {
        for member in family(lineage) {
            subscriptions[member]?.isAutoRenewing = isOn
        }
        if !isOn, subscriptions[lineage]?.priceIncrease?.agrees == nil { subscriptions[lineage]?.priceIncrease = nil }
        var news = news()
        tellFamily(
            of: lineage, "DID_CHANGE_RENEWAL_STATUS", isOn ? "AUTO_RENEW_ENABLED" : "AUTO_RENEW_DISABLED", in: &news)
        schedule(lineage)
        return news
    }

    /// One notification for each lineage of a family, about the period that runs.
    mutating func tellFamily(of lineage: String, _ type: String, _ subtype: String?, in news: inout Happening) {
        for member in family(lineage) {
            guard let current = subscriptions[member].flatMap({ self.current($0) }) else { continue }
            tell(type, subtype, about: current.transactionId, in: &news)
        }
    }

    mutating func withdraw(_ product: String) throws(ActRefusal) -> [Happening] {
        _ = try self.product(product)
        guard withdrawn.insert(product).inserted else { throw .notAllowed("\(product) is not for sale already") }
        for (id, lineage) in subscriptions where lineage.nextProduct == product { schedule(id) }
        return []
    }
}
