import Entitlements

/// What banks and prices do to subscriptions.
extension Store {
    mutating func failBilling(_ name: String, hasGrace: Bool) throws(ActRefusal) -> [Happening] {
        let customer = try knownCustomer(name)
        customers[name]?.billingFails = .init(hasGrace: hasGrace)
        for lineage in customer.subscriptions { schedule(lineage) }
        return []
    }

    mutating func recoverBilling(_ name: String) throws(ActRefusal) -> [Happening] {
        let customer = try knownCustomer(name)
        guard customer.billingFails != nil else { throw .notAllowed("charging \(name) works") }
        customers[name]?.billingFails = nil
        var happenings: [Happening] = []
        for id in customer.subscriptions {
            guard let lineage = subscriptions[id], lineage.sharedFrom == nil else { continue }
            if lineage.isInTrouble, lineage.isAutoRenewing {
                // Inside grace the periods join; after it there is a gap (entitlement-facts.md 11).
                let isInGrace = if case .grace = lineage.phase { true } else { false }
                let start = isInGrace ? newest(lineage)?.expiresDate ?? today : today
                happenings.append(renew(id, from: start, subtype: "BILLING_RECOVERY"))
            }
            schedule(id)
        }
        return happenings
    }

    mutating func raisePrice(
        of id: String, for name: String?, to newPrice: Int64?, needsConsent: Bool
    ) throws(ActRefusal) -> [Happening] {
        let product = try product(id)
        guard product.type == .autoRenewable else { throw .notAllowed("\(id) is no subscription") }
        let raised = newPrice ?? price(of: product) + price(of: product) / 10
        var lineages: [Subscription] = []
        if let name {
            lineages = [try subscription(PurchaseTarget(customer: name, product: id))]
        } else {
            raisedPrices[id] = raised
            lineages = subscriptions.values.sorted { $0.originalTransactionId < $1.originalTransactionId }
        }
        lineages = lineages.filter {
            $0.sharedFrom == nil && !$0.isExpired && $0.isAutoRenewing && $0.nextProduct == id
        }
        guard name == nil || !lineages.isEmpty else {
            throw .notAllowed("\(name ?? "") has nothing that renews to \(id)")
        }
        return lineages.map { lineage in
            let key = lineage.originalTransactionId
            subscriptions[key]?.priceIncrease = .init(product: id, price: raised, agrees: needsConsent ? nil : true)
            schedule(key)
            return priceNews(key, needsConsent ? "PENDING" : "ACCEPTED")
        }
    }

    mutating func consent(_ name: String, _ product: String?, agrees: Bool) throws(ActRefusal) -> [Happening] {
        let lineage = try subscription(PurchaseTarget(customer: name, product: product))
        guard let increase = lineage.priceIncrease, increase.agrees == nil else {
            throw .notAllowed("\(name) was not asked to consent to a price")
        }
        let key = lineage.originalTransactionId
        subscriptions[key]?.priceIncrease?.agrees = agrees
        if agrees {
            schedule(key)
            return [priceNews(key, "ACCEPTED")]
        }
        return [switchRenewal(key, false)]
    }

    private mutating func priceNews(_ lineage: String, _ subtype: String) -> Happening {
        var news = news()
        if let current = subscriptions[lineage].flatMap({ current($0) }) {
            tell("PRICE_INCREASE", subtype, about: current.transactionId, in: &news)
        }
        return news
    }
}
