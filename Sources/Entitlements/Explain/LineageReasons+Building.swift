extension Explanation.LineageReasons {
    init(_ lineage: Lineage, of account: AccountID, derivation: Derivation, testimony: Testimony) {
        let derived = derivation.lineages[lineage.id]
        id = lineage.id
        self.account = account
        owners = lineage.ownerTimeline().map {
            Explanation.Owner(span: $0, toldBy: testimony.owner($0, of: lineage.id))
        }
        renewalInfo = lineage.renewalInfo
        renewalToldBy = renewalInfo.flatMap { newest in
            testimony.since(renewalInfoOf: lineage.id) { $0.content == newest.content }
        }
        let readings = testimony.readings(ofLineage: lineage.id)
        outdated = readings.flatMap { reading in reading.outdatedFacts(told: testimony.entry(reading)) }
        unknown = readings.map(testimony.entry).filter { $0.type == .unknown }
        withoutSuccessor =
            derivation.grantors.filter { grantor in
                grantor.transaction?.originalTransactionId == lineage.id
                    && grantor.bounds.contains { $0.cause == .upgraded }
            }.map(\.id).sorted()
        if renewalInfo?.isInBillingRetryPeriod == true,
            let last = derived?.periods.last(where: { $0.transaction.transactionId == derived?.newestPeriodId })
        {
            watchedUntil = last.expiresDate + Explanation.billingRetryWatch
        }
    }
}

extension Explanation.LineageReasons {
    /// Since when another account has it, if one has at an instant.
    func awaySince(_ instant: Milliseconds) -> Milliseconds? {
        guard let current = owners.last(where: { $0.span.start <= instant })?.span, current.owner != account else {
            return nil
        }
        return current.start
    }
}

extension Explanation {
    /// How long the store goes on trying to charge (rules.md R3).
    static let billingRetryWatch: Milliseconds = 60 * Time.day
}

extension EventReading {
    fileprivate func outdatedFacts(told entry: HistoryEntry) -> [Explanation.OutdatedFact] {
        var facts: [Explanation.OutdatedFact] = []
        if let transaction, transaction.isOutdated {
            facts.append(
                Explanation.OutdatedFact(
                    event: entry, isRenewalInfo: false, signedDate: transaction.said.lastSigned,
                    newerSignedDate: transaction.after.lastSigned))
        }
        if let renewalInfo, renewalInfo.isOutdated {
            facts.append(
                Explanation.OutdatedFact(
                    event: entry, isRenewalInfo: true, signedDate: renewalInfo.said.lastSigned,
                    newerSignedDate: renewalInfo.after.lastSigned))
        }
        return facts
    }
}

extension Explanation.BalanceReasons {
    static func all(_ state: AccountState, catalogs: CatalogHistory) -> [Explanation.BalanceReasons] {
        var replay = LedgerReplay(catalogs: catalogs, policies: catalogs.current.policies)
        let lines = Dictionary(grouping: state.ledger.compactMap { replay.apply($0) }, by: \.currency)
        return lines.keys.sorted().map { currency in
            Explanation.BalanceReasons(
                currency: currency, amount: replay.balances.amounts[currency] ?? 0,
                shortfall: replay.balances.shortfalls[currency] ?? 0, lines: lines[currency] ?? [])
        }
    }
}
