import Entitlements

/// Family Sharing (entitlement-facts.md section 9): members have transactions and lineages of their own, and no token.
extension Store {
    /// Members besides the purchaser.
    static let maximumMembers = 5

    mutating func share(_ name: String, with members: [String]) throws(ActRefusal) -> [Happening] {
        let before = customers[name]?.members ?? []
        let new = members.filter { !before.contains($0) && $0 != name }
        guard !new.isEmpty else { throw .notAllowed("name members who are not in the family of \(name) yet") }
        guard Set(new).count == new.count, before.count + new.count <= Self.maximumMembers else {
            throw .notAllowed("a family has \(Self.maximumMembers) members besides the one who shares")
        }
        if let other = customers.values.first(where: { $0.name != name && !Set($0.members).isDisjoint(with: new) }) {
            throw .notAllowed("somebody of them is in the family of \(other.name): leaveFamily first")
        }
        _ = customer(name)
        for member in new { _ = customer(member) }
        customers[name]?.members = before + new
        var happenings: [Happening] = []
        for id in customers[name]?.purchases ?? [] {
            guard let purchase = purchases[id], purchase.product.type == .nonConsumable,
                purchase.product.isFamilyShareable, !purchase.isShared, purchase.revocation == nil
            else { continue }
            var news = news()
            for member in new { shareOnce(id, with: member, in: &news) }
            happenings.append(news)
        }
        for id in customers[name]?.subscriptions ?? [] {
            var news = news()
            shareLineage(id, in: &news)
            if !news.statements.isEmpty { happenings.append(news) }
        }
        return happenings
    }

    /// Gives every member who has none a lineage that follows the purchaser's.
    mutating func shareLineage(_ id: String, in news: inout Happening) {
        guard let lineage = subscriptions[id], lineage.sharedFrom == nil, lineage.isShareable, !lineage.isExpired,
            let current = current(lineage), let newest = newest(lineage), current.product.isFamilyShareable,
            newest.product.isFamilyShareable, current.revocation == nil
        else { return }
        let sharing = Set(lineage.members.compactMap { subscriptions[$0]?.customer })
        for member in customers[lineage.customer]?.members ?? [] where !sharing.contains(member) {
            let former = customers[member]?.subscriptions.first { subscriptions[$0]?.sharedFrom == id }
            var draft = draft(sharing: current, with: member)
            draft.isRenewal = false
            draft.start = max(today, current.purchaseDate)
            let transaction = former.map { append(draft, to: $0) } ?? begin(draft, sharedFrom: id)
            let key = former ?? transaction
            // The next period may be charged already.
            if newest.transactionId != current.transactionId {
                _ = append(self.draft(sharing: newest, with: member), to: key)
            }
            subscriptions[id]?.members.append(key)
            mirror(id, to: key)
            tell("SUBSCRIBED", former == nil ? "INITIAL_BUY" : "RESUBSCRIBE", about: transaction, in: &news)
        }
    }

    /// A new period of the purchaser's becomes one of every member's.
    mutating func follow(
        _ lineage: String, with transactionId: String, type: String, subtype: String?, in news: inout Happening
    ) {
        guard let purchase = purchases[transactionId], let members = subscriptions[lineage]?.members else { return }
        guard purchase.product.isFamilyShareable else {
            for member in members { revoke(member, in: &news) }
            subscriptions[lineage]?.members = []
            return
        }
        for member in members {
            guard let own = subscriptions[member] else { continue }
            if subtype == "UPGRADE" {
                for period in own.periods where (purchases[period]?.expiresDate ?? 0) > now {
                    purchases[period]?.isUpgraded = true
                    touch(period)
                }
            }
            let id = append(draft(sharing: purchase, with: own.customer), to: member)
            mirror(lineage, to: member)
            tell(type, subtype, about: id, in: &news)
        }
    }

    private func draft(sharing purchase: Purchase, with member: String) -> Draft {
        Draft(
            product: purchase.product, customer: member, start: purchase.purchaseDate, end: purchase.expiresDate,
            isRenewal: purchase.isRenewal, price: 0, sharedFrom: purchase.transactionId)
    }

    private mutating func mirror(_ lineage: String, to member: String) {
        guard let purchaser = subscriptions[lineage] else { return }
        subscriptions[member]?.isAutoRenewing = purchaser.isAutoRenewing
        subscriptions[member]?.nextProduct = purchaser.nextProduct
        subscriptions[member]?.phase = purchaser.phase
    }

    mutating func leaveFamily(_ name: String) throws(ActRefusal) -> [Happening] {
        let customer = try knownCustomer(name)
        var news = news()
        if customer.members.isEmpty {
            guard let purchaser = customers.values.first(where: { $0.members.contains(name) }) else {
                throw .notAllowed("\(name) is in no family")
            }
            endSharing(of: purchaser, with: [name], product: nil, in: &news)
            customers[purchaser.name]?.members.removeAll { $0 == name }
        } else {
            endSharing(of: customer, with: customer.members, product: nil, in: &news)
            customers[name]?.members = []
        }
        return [news]
    }

    mutating func stopSharing(_ name: String, _ product: String?) throws(ActRefusal) -> [Happening] {
        let customer = try knownCustomer(name)
        if let product { _ = try self.product(product) }
        guard !customer.members.isEmpty else { throw .notAllowed("\(name) shares with nobody") }
        var news = news()
        endSharing(of: customer, with: customer.members, product: product, in: &news)
        for id in customer.subscriptions {
            guard let lineage = subscriptions[id], product == nil || newest(lineage)?.product.id == product else {
                continue
            }
            subscriptions[id]?.isShareable = false
        }
        return [news]
    }

    /// Takes from members what a purchaser shares with them.
    private mutating func endSharing(
        of purchaser: Customer, with members: [String], product: String?, in news: inout Happening
    ) {
        for id in purchaser.purchases {
            guard let purchase = purchases[id], purchase.product.type == .nonConsumable,
                product == nil || purchase.product.id == product
            else { continue }
            revokeCopies(of: id, among: members, in: &news)
        }
        for id in purchaser.subscriptions {
            guard let lineage = subscriptions[id], product == nil || newest(lineage)?.product.id == product else {
                continue
            }
            for member in lineage.members where members.contains(subscriptions[member]?.customer ?? "") {
                revoke(member, in: &news)
                subscriptions[id]?.members.removeAll { $0 == member }
            }
        }
    }

    /// Takes what members have of one purchase for ever.
    mutating func revokeCopies(of transactionId: String, among members: [String], in news: inout Happening) {
        for member in members {
            for id in customers[member]?.purchases ?? [] {
                guard let copy = purchases[id], copy.sharedFrom == transactionId, copy.revocation == nil else {
                    continue
                }
                endAccess(id)
                tell("REVOKE", about: id, in: &news)
            }
        }
    }

    /// A member's lineage ends at once: every period that has not ended.
    mutating func revoke(_ lineage: String, in news: inout Happening) {
        guard let subscription = subscriptions[lineage] else { return }
        subscriptions[lineage]?.isAutoRenewing = false
        let open = subscription.periods.filter { id in
            guard let period = purchases[id], period.revocation == nil, !period.isUpgraded else { return false }
            return (period.expiresDate ?? 0) > now || id == subscription.periods.last
        }
        subscriptions[lineage]?.phase = .expired(.cancelled)
        for id in open { endAccess(id) }
        for id in open { tell("REVOKE", about: id, in: &news) }
    }

    private mutating func endAccess(_ transactionId: String) {
        let date = today
        purchases[transactionId]?.revocation = .init(date: date, reason: 0, type: "FAMILY_REVOKE", percentage: nil)
        touch(transactionId)
    }
}
