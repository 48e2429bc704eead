extension Derivation {
    /// The entries at an instant, by entitlement id (rules.md R4).
    func entries(at instant: Milliseconds, unions: [String: [Interval]]) -> [EntitlementEntry] {
        byEntitlement.keys.sorted().compactMap { id in
            guard let candidates = byEntitlement[id], let union = unions[id],
                let describing = describing(candidates, at: instant)
            else { return nil }
            return entry(id, describing: grantors[describing], candidates: candidates, union: union, at: instant)
        }
    }

    /// The grantor among `candidates` that fills the entry's fields (rules.md R4).
    func describing(_ candidates: some Sequence<Int>, at instant: Milliseconds) -> Int? {
        var best: Int?
        for candidate in candidates
        where best.map({ DescribingOrder(grantors[candidate], over: grantors[$0], at: instant).isFirst }) ?? true {
            best = candidate
        }
        return best
    }

    private func entry(
        _ id: String, describing: Grantor, candidates: [Int], union: [Interval], at instant: Milliseconds
    ) -> EntitlementEntry {
        let transaction = describing.transaction
        let next = transaction.flatMap { renewal(of: $0, at: instant) }
        let graceCounts = describing.isActive(at: instant) && describing.graceEnd != nil
        return EntitlementEntry(
            id: id, isActive: union.contains { $0.contains(instant) }, state: state(of: describing, at: instant),
            productId: transaction?.productId, productType: transaction?.type,
            purchaseDate: transaction?.purchaseDate ?? describing.start,
            originalPurchaseDate: transaction?.content.date("originalPurchaseDate"),
            expiresDate: transaction?.expiresDate,
            gracePeriodExpiresDate: graceCounts ? describing.graceEnd : nil,
            willRenew: next?.willRenew, nextProductId: next?.nextProductId,
            ownershipType: transaction?.ownership, offerType: transaction?.content.integer("offerType"),
            revocationDate: transaction?.revocationDate, transactionId: describing.id,
            originalTransactionId: transaction?.originalTransactionId, sources: candidates.map { grantors[$0].id },
            activeIntervals: union.filter { $0.end > instant },
            endIsFinal: candidates.contains { grantors[$0].end == union.last?.end && grantors[$0].endIsFinal })
    }

    /// The describing grantor's state, first match (rules.md R4).
    func state(of grantor: Grantor, at instant: Milliseconds) -> EntitlementEntry.State {
        if grantor.isActive(at: instant) { return instant < grantor.regularEnd ? .active : .inGracePeriod }
        if grantor.intervals.contains(where: { instant < $0.start }) { return .upcoming }
        let endedBy = grantor.bounds.filter { $0.at == grantor.regularEnd && grantor.end == $0.at }.map(\.cause)
        if endedBy.contains(.refund) || endedBy.contains(.grantRevoked) { return .revoked }
        if let transaction = grantor.transaction, transaction.type == .autoRenewable,
            let lineage = lineages[transaction.originalTransactionId],
            lineage.newestPeriodId == transaction.transactionId, lineage.renewalInfo?.isInBillingRetryPeriod == true
        {
            return .inBillingRetry
        }
        return .expired
    }

    /// What comes after a period (rules.md R4): nil once it is no longer the lineage's, or the account's, last word.
    private func renewal(of transaction: Transaction, at instant: Milliseconds) -> (
        willRenew: Bool?, nextProductId: String?
    )? {
        guard transaction.type == .autoRenewable, let purchase = transaction.purchaseDate,
            let lineage = lineages[transaction.originalTransactionId], lineage.owned.isOwner(at: instant)
        else { return nil }
        func other(_ productId: String?) -> String? { productId == transaction.productId ? nil : productId }
        if let later = lineage.periods.first(where: { $0.purchaseDate > purchase }) {
            return later.purchaseDate <= instant ? nil : (true, other(later.transaction.productId))
        }
        return (lineage.renewalInfo?.autoRenewStatus, other(lineage.renewalInfo?.autoRenewProductId))
    }

    /// Instants after `instant` at which an entry might change, ascending.
    func boundaries(after instant: Milliseconds) -> [Milliseconds] {
        var instants: Set<Milliseconds> = []
        func note(_ boundary: Milliseconds) {
            if boundary > instant, boundary != Interval.forever { instants.insert(boundary) }
        }
        for grantor in grantors {
            for interval in grantor.intervals {
                note(interval.start)
                note(interval.end)
            }
            note(grantor.regularEnd)
        }
        for lineage in lineages.values {
            lineage.periods.forEach { note($0.purchaseDate) }
            lineage.owned.boundaries.forEach(note)
        }
        return instants.sorted()
    }

    /// The earliest instant after `instant` at which the entries differ from `entries` by time alone.
    func nextChange(
        after instant: Milliseconds, entries: [EntitlementEntry], unions: [String: [Interval]]
    ) -> Milliseconds? {
        boundaries(after: instant).first { self.entries(at: $0, unions: unions) != entries }
    }
}

extension AccountState {
    /// The answer at a time. Pure (rules.md). `catalogs` are those known then.
    public func snapshot(
        bundleId: String, environment: Environment, at instant: Milliseconds, catalogs: CatalogHistory
    ) -> Snapshot {
        let derivation = Derivation(state: self, catalogs: catalogs)
        return snapshot(of: derivation, bundleId: bundleId, environment: environment, at: instant, catalogs: catalogs)
    }

    /// The same from a derivation at hand.
    public func snapshot(
        of derivation: Derivation, bundleId: String, environment: Environment, at instant: Milliseconds,
        catalogs: CatalogHistory
    ) -> Snapshot {
        let policies = catalogs.current.policies
        let unions = derivation.intervals()
        let entries = derivation.entries(at: instant, unions: unions)
        let balances = Balances(ledger: ledger, catalogs: catalogs, policies: policies)
        return Snapshot(
            bundleId: bundleId, environment: environment, account: account, version: version, asOf: instant,
            nextChangeAt: derivation.nextChange(after: instant, entries: entries, unions: unions),
            entitlements: entries,
            balances: balances.amounts,
            needsReconciliation: derivation.needsReconciliation || balances.hasFaults,
            offlineGrace: policies.offlineGrace,
            staleAccess: policies.staleAccess)
    }
}
