extension Explanation {
    /// Explains the answer at an instant. `state` and `catalogs` are those known then, as for `AccountState.snapshot`; `events`
    /// is the stream from its first event, or behind the `erased` ones that an erasure emptied, of which as many are read as the
    /// state has folded; `notes` are its signing notes, ascending by their time: without them an old copy may be told as news.
    public init(
        state: AccountState, events: [Event], after erased: Int64 = 0, notes: [SigningNote] = [],
        catalogs: CatalogHistory, bundleId: String,
        environment: Environment, at instant: Milliseconds, knownAt: Milliseconds? = nil
    ) {
        let derivation = Derivation(state: state, catalogs: catalogs)
        let snapshot = state.snapshot(
            of: derivation, bundleId: bundleId, environment: environment, at: instant, catalogs: catalogs)
        let testimony = Testimony(
            Array(events.prefix(Int(clamping: max(0, state.version - erased)))), after: erased, notes: notes,
            account: state.account, catalogs: catalogs)
        let builder = CandidateBuilder(
            state: state, derivation: derivation, catalog: catalogs.current, testimony: testimony, instant: instant)
        self.snapshot = snapshot
        self.knownAt = knownAt
        erasedAt = state.erasedAt

        var byEntitlement: [String: [Candidate]] = [:]
        var others: [Candidate] = []
        for grantor in derivation.grantors {
            let candidate = builder.candidate(grantor)
            for id in grantor.entitlements { byEntitlement[id, default: []].append(candidate) }
            if grantor.entitlements.isEmpty { others.append(candidate) }
        }
        for inert in derivation.inert + state.inertElsewhere(than: derivation) {
            let candidate = builder.candidate(inert.transaction, inert.reason)
            let ids = catalogs.current.product(inert.transaction.productId)?.entitlements ?? []
            for id in ids { byEntitlement[id, default: []].append(candidate) }
            if ids.isEmpty { others.append(candidate) }
        }
        for grant in state.grants where Grantor(grant) == nil {
            byEntitlement[grant.grant.entitlement, default: []].append(builder.candidate(withoutEffect: grant))
        }
        self.others = others
        let changes = derivation.nextChanges(after: instant, entries: snapshot.entitlements)
        let possibilities = PossibleChanges(
            state: state, derivation: derivation, policies: catalogs.current.policies, instant: instant)
        let unions = derivation.intervals()
        entitlements = byEntitlement.keys.sorted().map { id in
            let choice = Choice(of: id, in: derivation, at: instant)
            let candidates = Self.ordered(byEntitlement[id] ?? [], describing: choice?.id)
            return EntitlementReasons(
                id: id, entry: snapshot[id], intervals: unions[id] ?? [], candidates: candidates, choice: choice,
                next: changes[id], possible: possibilities.changes(of: candidates))
        }
        lineages = state.lineages.keys.sorted().compactMap { id in
            state.lineages[id].map {
                LineageReasons($0, of: state.account, derivation: derivation, testimony: testimony)
            }
        }
        balances = BalanceReasons.all(state, catalogs: catalogs)
    }

    private static func ordered(_ candidates: [Candidate], describing: String?) -> [Candidate] {
        candidates.sorted { left, right in
            if (left.id == describing) != (right.id == describing) { return left.id == describing }
            let (end, otherEnd) = (left.end ?? .min, right.end ?? .min)
            return end != otherEnd ? end > otherEnd : TransactionOrder.precedes(right.id, left.id)
        }
    }
}

extension Explanation.Choice {
    init?(of entitlement: String, in derivation: Derivation, at instant: Milliseconds) {
        let grantors = derivation.grantors
        let candidates = derivation.byEntitlement[entitlement] ?? []
        guard let describing = derivation.describing(candidates, at: instant) else { return nil }
        id = grantors[describing].id
        guard let other = derivation.describing(candidates.filter { $0 != describing }, at: instant) else { return }
        runnerUp = grantors[other].id
        criterion = DescribingOrder(grantors[describing], over: grantors[other], at: instant).criterion.rawValue
    }
}

extension AccountState {
    /// Transactions of lineages that were never this account's, though its stream has them.
    fileprivate func inertElsewhere(than derivation: Derivation) -> [Derivation.Inert] {
        lineages.keys.sorted().filter { derivation.lineages[$0] == nil }.flatMap { id in
            (lineages[id]?.transactions.values.compactMap(\.newest) ?? [])
                .sorted { TransactionOrder.precedes($0.transactionId, $1.transactionId) }
                .map { Derivation.Inert(transaction: $0, reason: .belongsToAnotherAccount) }
        }
    }
}

extension Derivation {
    /// For each entitlement the first instant at which its entry changes by time alone.
    fileprivate func nextChanges(
        after instant: Milliseconds, entries before: [EntitlementEntry]
    ) -> [String: Explanation.TimedChange] {
        let unions = intervals()
        var changes: [String: Explanation.TimedChange] = [:]
        for boundary in boundaries(after: instant) where changes.count < before.count {
            let later = entries(at: boundary, unions: unions)
            for (old, new) in zip(before, later) where old != new && changes[old.id] == nil {
                changes[old.id] = Explanation.TimedChange(
                    at: boundary, after: new, isActiveBefore: old.isActive,
                    describesAnother: old.transactionId != new.transactionId)
            }
        }
        return changes
    }
}
