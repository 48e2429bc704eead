/// Turns grantors and transactions that give nothing into candidates with their reasons.
struct CandidateBuilder {
    let state: AccountState
    let derivation: Derivation
    let catalog: Catalog
    let testimony: Testimony
    let instant: Milliseconds

    // MARK: What gives something

    func candidate(_ grantor: Grantor) -> Candidate {
        Candidate(
            id: grantor.id, transaction: grantor.transaction, grant: grantor.grant, standing: standing(of: grantor),
            nothing: nil, intervals: grantor.intervals, begins: beginning(of: grantor), ends: ends(of: grantor),
            toldBy: toldBy(grantor), takenBack: grantor.transaction.map(takenBack) ?? [])
    }

    private func toldBy(_ grantor: Grantor) -> HistoryEntry? {
        grantor.transaction.map { testimony.first(of: $0.transactionId) }
            ?? testimony.grant(
                grantor.id, isRevocation: false)
    }

    private func standing(of grantor: Grantor) -> Candidate.Standing {
        if grantor.isActive(at: instant) { return instant < grantor.regularEnd ? .active : .inGracePeriod }
        return grantor.intervals.contains { instant < $0.start } ? .upcoming : .over
    }

    private func beginning(of grantor: Grantor) -> Candidate.Beginning? {
        guard let start = grantor.intervals.first?.start else { return nil }
        if grantor.transaction == nil { return Candidate.Beginning(at: start, cause: .grant) }
        if start > grantor.start { return Candidate.Beginning(at: start, cause: .movedHere) }
        let isStacked = grantor.transaction?.purchaseDate.map { $0 < start } ?? false
        return Candidate.Beginning(at: start, cause: isStacked ? .stacked : .purchase)
    }

    private func ends(of grantor: Grantor) -> [Candidate.End] {
        var ends = grantor.bounds.map { end($0, of: grantor) }
        if let transaction = grantor.transaction {
            ends += graceEnds(of: grantor, transaction)
            ends += movedAwayEnds(of: grantor, transaction)
        }
        for index in ends.indices {
            let cause = ends[index].cause
            ends[index].isDecisive = ends[index].at == grantor.end && cause != .graceNotHonoured
        }
        return ends.sorted { $0.at < $1.at }
    }

    private func end(_ bound: Grantor.Bound, of grantor: Grantor) -> Candidate.End {
        let id = grantor.id
        let isFamily = grantor.transaction?.isFamilyRevocation ?? false
        let (cause, toldBy): (Candidate.End.Cause, HistoryEntry?) =
            switch bound.cause {
            case .expiry: (.expiry, testimony.since(transaction: id) { $0.expiresDate == bound.at })
            case .refund:
                (
                    isFamily ? .familyRevoked : .refund,
                    testimony.since(transaction: id) { $0.revocationDate == grantor.transaction?.revocationDate }
                )
            case .nextPeriod: (.nextPeriod, bound.by.flatMap { testimony.first(of: $0) })
            case .upgraded: (.upgraded, testimony.since(transaction: id) { $0.isUpgraded })
            case .duration: (.duration, testimony.first(of: id))
            case .grantEnd: (.grantEnd, testimony.grant(id, isRevocation: false))
            case .grantRevoked: (.grantRevoked, testimony.grant(id, isRevocation: true))
            }
        return Candidate.End(
            at: bound.at, cause: cause, rule: bound.rule, by: bound.by,
            byProductId: otherProduct(bound.by, than: grantor),
            isDecisive: false, toldBy: toldBy)
    }

    private func otherProduct(_ id: String?, than grantor: Grantor) -> String? {
        guard let id, let transaction = grantor.transaction,
            let other = state.lineages[transaction.originalTransactionId]?.transactions[id]?.newest?.productId
        else { return nil }
        return other == transaction.productId ? nil : other
    }

    /// Grace that counts, or would by another policy (rules.md R3).
    private func graceEnds(of grantor: Grantor, _ transaction: Transaction) -> [Candidate.End] {
        let lineage = transaction.originalTransactionId
        guard let derived = derivation.lineages[lineage], derived.newestPeriodId == transaction.transactionId,
            let grace = derived.renewalInfo?.gracePeriodExpiresDate, grace > grantor.regularEnd
        else { return [] }
        let isRefused = grantor.graceEnd == nil && !catalog.policies.honorGracePeriod
        guard grantor.graceEnd != nil || isRefused else { return [] }
        return [
            Candidate.End(
                at: grace, cause: isRefused ? .graceNotHonoured : .grace, rule: "R3", by: nil, isDecisive: false,
                toldBy: testimony.since(renewalInfoOf: lineage) { $0.gracePeriodExpiresDate == grace })
        ]
    }

    private func movedAwayEnds(of grantor: Grantor, _ transaction: Transaction) -> [Candidate.End] {
        let lineage = transaction.originalTransactionId
        guard let owned = derivation.lineages[lineage]?.owned ?? owned(lineage) else { return [] }
        let wholeEnd = max(grantor.regularEnd, grantor.graceEnd ?? .min)
        return grantor.intervals.compactMap { interval in
            guard interval.end < wholeEnd,
                let span = owned.timeline.last(where: { $0.start == interval.end })
            else { return nil }
            return Candidate.End(
                at: interval.end, cause: .movedAway, rule: "R7", by: nil, isDecisive: false,
                toldBy: testimony.owner(span, of: lineage))
        }
    }

    private func owned(_ lineage: String) -> OwnedSpans? {
        state.lineages[lineage].map { OwnedSpans(lineage: $0, account: state.account) }
    }

    // MARK: What gives nothing

    func candidate(_ transaction: Transaction, _ reason: Derivation.Inert.Reason) -> Candidate {
        Candidate(
            id: transaction.transactionId, transaction: transaction, grant: nil, standing: .nothing,
            nothing: Self.nothing(transaction, reason), intervals: [], begins: nil, ends: [],
            toldBy: testimony.first(of: transaction.transactionId), takenBack: takenBack(transaction))
    }

    /// A grant that was taken back before it began.
    func candidate(withoutEffect grant: AccountState.GrantState) -> Candidate {
        Candidate(
            id: grant.grant.id, transaction: nil, grant: grant.grant, standing: .nothing, nothing: .grantNeverBegan,
            intervals: [], begins: nil, ends: [], toldBy: testimony.grant(grant.grant.id, isRevocation: true),
            takenBack: [])
    }

    private static func nothing(_ transaction: Transaction, _ reason: Derivation.Inert.Reason) -> Candidate.Nothing {
        switch reason {
        case .unknownType: .unknownType
        case .unknownOwnership: .unknownOwnership
        case .productNotInCatalog: .productNotInCatalog
        case .noReadableEnd: .noReadableEnd
        case .noPurchaseDate: .noPurchaseDate
        case .noDuration: .noDuration
        case .consumable: .consumable
        case .belongsToAnotherAccount: .belongsToAnotherAccount
        case .endsBeforeItStarts:
            // A pass may be refunded before its turn: then the refund is later than the purchase.
            if transaction.revocationDate != nil {
                .revokedFromItsStart
            } else {
                transaction.isUpgraded ? .replacedFromItsStart : .endsBeforeItStarts
            }
        }
    }

    /// Words about a transaction that newer ones took back: a refund reversed, an end moved.
    private func takenBack(_ transaction: Transaction) -> [Candidate.TakenBack] {
        var result: [Candidate.TakenBack] = []
        func note(_ cause: Candidate.End.Cause, _ value: (Transaction) -> Milliseconds?) {
            var current: (at: Milliseconds, toldBy: HistoryEntry)?
            for reading in testimony.readings(of: transaction.transactionId) {
                guard let newest = reading.transaction?.after.transaction else { continue }
                let said = value(newest)
                guard said != current?.at else { continue }
                if let current {
                    result.append(
                        Candidate.TakenBack(
                            cause: cause, at: current.at, toldBy: current.toldBy, takenBackBy: testimony.entry(reading)
                        ))
                }
                current = said.map { ($0, testimony.entry(reading)) }
            }
        }
        note(.refund) { $0.revocationDate }
        note(.expiry) { $0.expiresDate }
        return result
    }
}

extension Grantor {
    /// The operator's grant, if it is one.
    var grant: Grant? {
        if case .grant(let grant, _, _) = origin { grant } else { nil }
    }
}
