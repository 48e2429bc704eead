/// What could happen to an entitlement besides time, and what would follow.
struct PossibleChanges {
    let state: AccountState
    let derivation: Derivation
    let policies: Policies
    let instant: Milliseconds
    /// Lineages that are this account's at the instant: found once, since each is asked about for each of its periods.
    private let owned: Set<String>

    init(state: AccountState, derivation: Derivation, policies: Policies, instant: Milliseconds) {
        self.state = state
        self.derivation = derivation
        self.policies = policies
        self.instant = instant
        owned = Set(state.lineages.values.filter { $0.owner(at: instant) == state.account }.map(\.id))
    }

    /// Only what would change the answer: past periods are left alone.
    func changes(of candidates: [Candidate]) -> [Explanation.PossibleChange] {
        let active = candidates.filter { [.active, .inGracePeriod].contains($0.standing) }
        var changes: [Explanation.PossibleChange] = []
        if let first = candidates.first { changes += renewals(of: first) }
        for candidate in active { changes += endings(of: candidate, among: active) }
        if let first = active.first { changes += moves(of: first) }
        for candidate in candidates where candidate.standing == .over || candidate.standing == .nothing {
            changes += returns(of: candidate, isNewest: candidate.id == candidates.first?.id)
        }
        var seen: Set<Explanation.PossibleChange> = []
        return changes.filter { seen.insert($0).inserted }
    }

    private func endings(of candidate: Candidate, among active: [Candidate]) -> [Explanation.PossibleChange] {
        let others = active.filter { $0.id != candidate.id }.map(\.id)
        let effect = others.isEmpty ? "access ends" : "access goes on by \(others[0])"
        guard let transaction = candidate.transaction else {
            return [.init(kind: .grantRevocation, subject: candidate.id, effect: "the grant is taken back: \(effect)")]
        }
        let word = transaction.ownership == .familyShared ? "is no longer shared by the family" : "is refunded"
        return [.init(kind: .refund, subject: candidate.id, effect: "\(candidate.id) \(word): \(effect)")]
    }

    private func moves(of candidate: Candidate) -> [Explanation.PossibleChange] {
        guard let lineage = candidate.transaction?.originalTransactionId, policies.transfer == .onRestore,
            state.lineages[lineage]?.lockedAt == nil
        else { return [] }
        return [
            .init(
                kind: .restore, subject: lineage,
                effect: "another account restores \(lineage): it moves there at that instant")
        ]
    }

    private func renewals(of candidate: Candidate) -> [Explanation.PossibleChange] {
        guard let transaction = candidate.transaction, transaction.type == .autoRenewable,
            let lineage = derivation.lineages[transaction.originalTransactionId], lineage.owned.isOwner(at: instant),
            lineage.newestPeriodId == transaction.transactionId
        else { return [] }
        let id = transaction.originalTransactionId
        if lineage.renewalInfo?.isInBillingRetryPeriod == true, candidate.standing == .over {
            return [
                .init(
                    kind: .recovery, subject: id,
                    effect: "the payment succeeds after all, at any time: a new period brings access back")
            ]
        }
        let off = lineage.renewalInfo?.autoRenewStatus == false ? " (auto-renew is off)" : ""
        return [
            .init(kind: .renewal, subject: id, effect: "\(id) gets a new period\(off): it adds its own access")
        ]
    }

    private func returns(of candidate: Candidate, isNewest: Bool) -> [Explanation.PossibleChange] {
        guard let transaction = candidate.transaction else { return [] }
        let lineage = transaction.originalTransactionId
        if candidate.nothing == .productNotInCatalog {
            return [
                .init(
                    kind: .catalogChange, subject: transaction.productId,
                    effect: "\(transaction.productId) is added to the catalog: \(candidate.id) grants what it unlocks")
            ]
        }
        var changes: [Explanation.PossibleChange] = []
        if transaction.revocationDate != nil, candidate.nothing != .belongsToAnotherAccount, wouldStillRun(candidate) {
            changes.append(
                .init(
                    kind: .refundReversal, subject: candidate.id,
                    effect: "the refund of \(candidate.id) is taken back: its access is whole again"))
        }
        let isAway =
            candidate.nothing == .belongsToAnotherAccount
            || candidate.ends.contains { $0.cause == .movedAway && $0.isDecisive }
        if isAway, !owned.contains(lineage), policies.transfer != .never, state.lineages[lineage]?.lockedAt == nil {
            changes.append(
                .init(
                    kind: .restore, subject: lineage,
                    effect: "this account restores \(lineage): it is back from that instant on"))
        }
        if candidate.ends.contains(where: { $0.cause == .upgraded }) {
            changes.append(
                .init(
                    kind: .successor, subject: lineage,
                    effect: "what replaced \(candidate.id) becomes known: it brings its own access"))
        }
        return changes
    }

    /// Whether the transaction would give access now if it were not refunded.
    private func wouldStillRun(_ candidate: Candidate) -> Bool {
        guard let transaction = candidate.transaction, transaction.type == .autoRenewable else { return true }
        return transaction.expiresDate.map { $0 > instant } ?? false
    }
}
