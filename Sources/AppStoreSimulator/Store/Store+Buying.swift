import Entitlements

/// Purchases, Ask to Buy and offer codes.
extension Store {
    /// Buys. `isInApp` false: from outside the app, by an offer code.
    mutating func buy(_ order: Order, isInApp: Bool) throws(ActRefusal) -> [Happening] {
        let product = try checked(order)
        guard product.type == .autoRenewable else { return buyOnce(order, product, isInApp: isInApp) }
        guard let lineage = ownLineage(of: order.customer, group: product.group) else {
            let offer = try offer(for: order, product, isInApp: isInApp, isNew: true)
            return startSubscription(order, product, offer)
        }
        guard lineage.isExpired || status(lineage) == 5 else {
            guard newest(lineage)?.product.id != product.id else {
                throw .notAllowed("\(order.customer) has \(product.id) already; it renews by itself")
            }
            return try changePlan(order)
        }
        let offer = try offer(for: order, product, isInApp: isInApp, isNew: false)
        return resubscribe(lineage, order, product, offer)
    }

    /// Asks a parent: no transaction, no notification.
    mutating func ask(_ order: Order) throws(ActRefusal) -> [Happening] {
        _ = try checked(order)
        let request = "r\(number())"
        requests[request] = order
        _ = customer(order.customer)
        var news = news()
        news.request = request
        return [news]
    }

    /// The parent agrees.
    mutating func approve(_ request: String) throws(ActRefusal) -> [Happening] {
        guard let order = requests[request] else { throw .unknown("there is no request \(request)") }
        let happenings = try buy(order, isInApp: true)
        requests[request] = nil
        return happenings
    }

    /// The parent refuses: nothing ever comes.
    mutating func decline(_ request: String) throws(ActRefusal) -> [Happening] {
        guard requests.removeValue(forKey: request) != nil else {
            throw .unknown("there is no request \(request)")
        }
        return []
    }

    /// An offer code redeemed in the App Store: the app is not there to name an account.
    mutating func redeem(_ order: Order) throws(ActRefusal) -> [Happening] {
        var order = order
        order.appAccountToken = nil
        let product = try checked(order)
        guard product.type == .autoRenewable, let lineage = ownLineage(of: order.customer, group: product.group),
            !lineage.isExpired, status(lineage) != 5
        else { return try buy(order, isInApp: false) }
        let offer =
            try offer(for: order, product, isInApp: false, isNew: false)
            ?? .unlistedCode(for: product, identifier: order.offer)
        guard newest(lineage)?.product.id == product.id else {
            return try changePlan(lineage, to: product, order, offer: offer)
        }
        // The same product: the offer's periods come after the one that runs.
        subscriptions[lineage.originalTransactionId]?.runningOffer = .init(
            offer: offer, remaining: offer.periodsToCharge)
        schedule(lineage.originalTransactionId)
        var news = news()
        if let current = current(lineage) { tell("OFFER_REDEEMED", about: current.transactionId, in: &news) }
        return [news]
    }

    /// The product of an order that can be carried out.
    private func checked(_ order: Order) throws(ActRefusal) -> SaleProduct {
        let product = try product(order.product)
        guard !withdrawn.contains(product.id) else { throw .notAllowed("\(product.id) is not for sale any more") }
        guard customers.count < Self.maximumCustomers || customers[order.customer] != nil else {
            throw .notAllowed("this store takes \(Self.maximumCustomers) customers")
        }
        let mayBeMany = product.type == .consumable || product.type == .nonRenewing
        guard order.quantity == 1 || mayBeMany else {
            throw .notAllowed("only consumables and non-renewing subscriptions can be bought by the piece")
        }
        if product.type == .nonConsumable, let customer = customers[order.customer] {
            let owns = customer.purchases.compactMap { purchases[$0] }.contains {
                $0.product.id == product.id && $0.revocation == nil && !$0.isShared
            }
            guard !owns else { throw .notAllowed("\(order.customer) owns \(product.id) already") }
        }
        return product
    }

    /// The lineage of a group that a customer pays for.
    func ownLineage(of customer: String, group: String?) -> Subscription? {
        customers[customer]?.subscriptions.lazy.compactMap { subscriptions[$0] }.first {
            $0.sharedFrom == nil && $0.group == group
        }
    }

    /// The offer an order is made under: the one it names, else the introductory offer for who never had one in the group.
    private func offer(
        for order: Order, _ product: SaleProduct, isInApp: Bool, isNew: Bool
    ) throws(ActRefusal) -> SaleOffer? {
        if let name = order.offer {
            let listed = product.offers.first { $0.identifier == name && $0.kind != .introductory }
            if let listed { return listed }
            guard !isInApp else {
                let known = product.offers.compactMap(\.identifier).joined(separator: ", ")
                throw .unknown("\(product.id) has no offer \(name); it has \(known.isEmpty ? "none" : known)")
            }
        }
        guard isInApp else {
            return product.offers.first { $0.kind == .code } ?? .unlistedCode(for: product, identifier: order.offer)
        }
        let had = customers[order.customer]?.usedIntroductory.contains(product.group ?? "") ?? false
        return had ? nil : product.offers.first { $0.kind == .introductory }
    }

    private mutating func buyOnce(_ order: Order, _ product: SaleProduct, isInApp: Bool) -> [Happening] {
        let customer = customer(order.customer)
        let offer = isInApp ? nil : SaleOffer.unlistedCode(for: product, identifier: order.offer)
        let id = make(
            Draft(
                product: product, customer: customer.name, start: today, quantity: order.quantity,
                token: order.appAccountToken, price: offer?.price ?? price(of: product) * order.quantity, offer: offer))
        var news = news()
        tell("ONE_TIME_CHARGE", about: id, in: &news)
        if product.isFamilyShareable, product.type == .nonConsumable {
            for member in customer.members { shareOnce(id, with: member, in: &news) }
        }
        return [news]
    }

    /// A member of a family receives what was bought for ever.
    mutating func shareOnce(_ transactionId: String, with member: String, in news: inout Happening) {
        guard let purchase = purchases[transactionId] else { return }
        _ = customer(member)
        let id = make(
            Draft(product: purchase.product, customer: member, start: today, price: 0, sharedFrom: transactionId))
        tell("ONE_TIME_CHARGE", about: id, in: &news)
    }

    private mutating func startSubscription(_ order: Order, _ product: SaleProduct, _ offer: SaleOffer?) -> [Happening]
    {
        let customer = customer(order.customer)
        let draft = draft(order, product, offer)
        let lineage = begin(draft)
        noteOffer(offer, of: lineage, customer: customer.name, product)
        var news = news()
        tell("SUBSCRIBED", "INITIAL_BUY", about: lineage, in: &news)
        shareLineage(lineage, in: &news)
        schedule(lineage)
        return [news]
    }

    private mutating func resubscribe(
        _ lineage: Subscription, _ order: Order, _ product: SaleProduct, _ offer: SaleOffer?
    ) -> [Happening] {
        let id = lineage.originalTransactionId
        let transaction = append(draft(order, product, offer), to: id)
        subscriptions[id]?.isAutoRenewing = true
        subscriptions[id]?.nextProduct = product.id
        subscriptions[id]?.priceIncrease = nil
        subscriptions[id]?.appAccountToken = order.appAccountToken
        noteOffer(offer, of: id, customer: order.customer, product)
        var news = news()
        tell("SUBSCRIBED", "RESUBSCRIBE", about: transaction, in: &news)
        // What was shared before ended with the old period; it is shared anew.
        shareLineage(id, in: &news)
        schedule(id)
        return [news]
    }

    private func draft(_ order: Order, _ product: SaleProduct, _ offer: SaleOffer?) -> Draft {
        Draft(
            product: product, customer: order.customer, start: today, end: end(of: product, offer: offer, from: today),
            token: order.appAccountToken, price: offer?.price ?? price(of: product), offer: offer)
    }

    /// Remembers what an offer means for later.
    mutating func noteOffer(_ offer: SaleOffer?, of lineage: String, customer: String, _ product: SaleProduct) {
        let price = price(of: product)
        subscriptions[lineage]?.agreedPrices[product.id] = price
        guard let offer else {
            subscriptions[lineage]?.runningOffer = nil
            return
        }
        if offer.kind == .introductory { customers[customer]?.usedIntroductory.insert(product.group ?? "") }
        let remaining = offer.periodsToCharge - 1
        subscriptions[lineage]?.runningOffer = remaining > 0 ? .init(offer: offer, remaining: remaining) : nil
    }
}

extension SaleOffer {
    /// How many transactions are made under it.
    var periodsToCharge: Int64 { discount == .payAsYouGo ? count : 1 }
}
