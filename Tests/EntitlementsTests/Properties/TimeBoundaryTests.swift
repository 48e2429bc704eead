import Testing

@testable import Entitlements

/// What time alone changes (rules.md R4, `nextChangeAt`).
@Suite("Answers between boundaries (R4)")
struct TimeBoundaryTests {
    /// Every instant at which anything could change, with its neighbours.
    private func candidates(_ state: AccountState, _ derivation: Derivation) -> [Milliseconds] {
        var instants: Set<Milliseconds> = [RandomFacts.origin - Time.day]
        for grantor in derivation.grantors {
            instants.formUnion(grantor.intervals.flatMap { [$0.start, $0.end] } + grantor.bounds.map(\.at))
            instants.formUnion([grantor.start, grantor.regularEnd, grantor.graceEnd ?? grantor.start])
        }
        for lineage in state.lineages.values {
            instants.formUnion(lineage.ownerTimeline().map(\.start))
            for transaction in lineage.transactions.values.flatMap(\.copies).map(\.transaction) {
                instants.formUnion(
                    [transaction.purchaseDate, transaction.expiresDate, transaction.revocationDate].compactMap { $0 })
            }
            instants.formUnion(lineage.renewals.compactMap(\.renewalInfo.gracePeriodExpiresDate))
        }
        return Set(instants.filter { Time.plausible.contains($0) }.flatMap { [$0 - 1, $0, $0 + 1] }).sorted()
    }

    @Test("The next change is the true next one", arguments: 0..<4 as Range<UInt64>)
    func nextChange(block: UInt64) {
        for seed in block * 60..<block * 60 + 60 {
            var world = RandomWorld.empty(known: [RandomFacts.accounts[0], RandomFacts.accounts[1]])
            for (at, step) in RandomWorld.steps(seed: seed) { world.apply(step, at: at) }
            for account in RandomFacts.accounts {
                let state = world.state(.account(.production, account))
                let derivation = Derivation(state: state, catalogs: world.app.catalogs)
                let instants = candidates(state, derivation)
                let answers = instants.map {
                    state.snapshot(
                        of: derivation, bundleId: "com.example.app", environment: .production, at: $0,
                        catalogs: world.app.catalogs)
                }
                for (index, answer) in answers.enumerated() {
                    let changed = answers[index...].firstIndex { !$0.saysTheSame(as: answer) }
                    guard answer.nextChangeAt == changed.map({ instants[$0] }) else {
                        Issue.record(
                            "seed \(seed), \(account) at \(answer.asOf): next change \(String(describing: answer.nextChangeAt))"
                        )
                        return
                    }
                }
            }
        }
    }
}

extension Snapshot {
    /// The same but for the time asked about and the next change.
    fileprivate func saysTheSame(as other: Snapshot) -> Bool {
        var copy = self
        copy.asOf = other.asOf
        copy.nextChangeAt = other.nextChangeAt
        return copy == other
    }
}
