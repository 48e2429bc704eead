/// What could happen to an entitlement besides time, and what would follow.
struct PossibleChanges {
    let state: AccountState
    let derivation: Derivation
    let policies: Policies
    let instant: Milliseconds

    /// Only what would change the answer: past periods are left alone.
    func changes(of candidates: [Candidate]) -> [Explanation.PossibleChange] {
        let active = candidates.filter { [.active, .inGracePeriod].contains($0.standing) }
        var changes: [Explanation.PossibleChange] = []
        for candidate in active { changes += endings(of: candidate, among: active) }
        if let first = candidates.first { changes += renewals(of: first) }
        for candidate in candidates where candidate.standing == .over || candidate.standing == .nothing {
            changes += returns(of: candidate, isNewest: candidate.id == candidates.first?.id)
        }
        var seen: Set<Explanation.PossibleChange> = []
        return changes.filter { seen.insert($0).inserted }
    }

    private func endings(of candidate: Candidate, among active: [Candidate]) -> [Explanation.PossibleChange] {
        let others = active.filter { $0.id != candidate.id }.map(\.id)
        let effect =
            others.isEmpty ? "would end the access" : "alone would not end the access: \(others[0]) goes on"
        guard let transaction = candidate.transaction else {
            return [.init(kind: .grantRevocation, subject: candidate.id, effect: "taking the grant back \(effect)")]
        }
        let word = transaction.ownership == .familyShared ? "the end of the family sharing" : "a refund"
        var changes = [
            Explanation.PossibleChange(
                kind: .refund, subject: candidate.id, effect: "\(word) of \(candidate.id) \(effect)")
        ]
        let lineage = transaction.originalTransactionId
        if policies.transfer == .onRestore, state.lineages[lineage]?.lockedAt == nil {
            changes.append(
                .init(
                    kind: .restore, subject: lineage,
                    effect: "a restore by another account would move \(lineage) there, at that instant"))
        }
        return changes
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
                    effect: "a payment that succeeds after all would bring a new period, at any time")
            ]
        }
        return [.init(kind: .renewal, subject: id, effect: "a new period of \(id) would add its own access")]
    }

    private func returns(of candidate: Candidate, isNewest: Bool) -> [Explanation.PossibleChange] {
        guard let transaction = candidate.transaction else { return [] }
        let lineage = transaction.originalTransactionId
        if candidate.nothing == .productNotInCatalog {
            return [
                .init(
                    kind: .catalogChange, subject: transaction.productId,
                    effect: "adding \(transaction.productId) to the catalog would let \(candidate.id) grant")
            ]
        }
        var changes: [Explanation.PossibleChange] = []
        if transaction.revocationDate != nil, candidate.nothing != .belongsToAnotherAccount, wouldStillRun(candidate) {
            changes.append(
                .init(
                    kind: .refundReversal, subject: candidate.id,
                    effect: "a reversal of the refund of \(candidate.id) would bring its access back"))
        }
        let isAway =
            candidate.nothing == .belongsToAnotherAccount
            || candidate.ends.contains { $0.cause == .movedAway && $0.isDecisive }
        if isAway, policies.transfer != .never, state.lineages[lineage]?.lockedAt == nil {
            changes.append(
                .init(
                    kind: .restore, subject: lineage,
                    effect: "a restore by this account would bring \(lineage) back, from that instant on"))
        }
        if candidate.ends.contains(where: { $0.cause == .upgraded }) {
            changes.append(
                .init(
                    kind: .successor, subject: lineage,
                    effect: "the transaction that replaced \(candidate.id) would bring its own access"))
        }
        return changes
    }

    /// Whether the transaction would give access now if it were not refunded.
    private func wouldStillRun(_ candidate: Candidate) -> Bool {
        guard let transaction = candidate.transaction, transaction.type == .autoRenewable else { return true }
        return transaction.expiresDate.map { $0 > instant } ?? false
    }
}
