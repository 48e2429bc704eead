import Testing

@testable import Entitlements

/// Facts merge, they do not toggle (rules.md R1): neither their order nor their repetition changes an answer.
@Suite("Order and repetition of facts (R1)")
struct FactOrderTests {
    private static let instants = [5, 45, 95, 400].map { RandomFacts.origin + Int64($0) * Time.day }

    /// All that is said of an account, but for the number of events.
    private struct Answer: Equatable {
        let intervals: [String: [Interval]]
        let snapshots: [Snapshot]
    }

    private func answers(_ world: World) -> [Answer] {
        RandomFacts.accounts.map { account in
            let state = world.state(.account(.production, account))
            let derivation = Derivation(state: state, catalogs: world.app.catalogs)
            let snapshots = Self.instants.map {
                state.snapshot(
                    of: derivation, bundleId: world.app.bundleId, environment: .production, at: $0,
                    catalogs: world.app.catalogs
                ).content
            }
            return Answer(intervals: derivation.intervals(), snapshots: snapshots)
        }
    }

    private func world(_ facts: [RandomFacts.Fact], notifying: Bool) -> World {
        var world = RandomWorld.empty()
        for (index, fact) in facts.enumerated() {
            let now = RandomWorld.firstStep + Int64(index) * 1000
            // A renewal info alone names no app: only a notification brings it before its lineage's first transaction.
            if case .transaction = fact, !notifying {
                world.learn(fact, at: now)
            } else {
                _ = world.notify(fact, uuid: "n\(index)", at: now)
            }
        }
        return world
    }

    @Test("Any order gives the same answers", arguments: 0..<4 as Range<UInt64>)
    func anyOrder(block: UInt64) {
        for seed in block * 150..<block * 150 + 150 {
            let facts = RandomFacts.make(seed: seed)
            var random = SeededGenerator(seed: seed)
            let reference = world(facts, notifying: true)
            let shuffled = world(facts.shuffled(using: &random), notifying: seed % 2 == 0)
            guard answers(reference) == answers(shuffled) else {
                Issue.record("seed \(seed): another order gives another answer")
                return
            }
            #expect(
                reference.unclaimed(environment: .production) == shuffled.unclaimed(environment: .production),
                "seed \(seed)")
        }
    }

    @Test("Hearing everything again changes nothing, not even the version", arguments: 0..<2 as Range<UInt64>)
    func repetition(block: UInt64) {
        for seed in block * 200..<block * 200 + 200 {
            let facts = RandomFacts.make(seed: seed)
            var random = SeededGenerator(seed: seed)
            var world = world(facts, notifying: false)
            let before = answers(world)
            let versions = RandomFacts.accounts.map { world.state(.account(.production, $0)).version }
            for fact in facts.shuffled(using: &random) { world.learn(fact, at: RandomWorld.firstStep + Time.day) }
            let versionsAfter = RandomFacts.accounts.map { world.state(.account(.production, $0)).version }
            guard before == answers(world), versions == versionsAfter else {
                Issue.record("seed \(seed): a repetition changed something")
                return
            }
        }
    }

    @Test("Sandbox beside Production changes nothing in Production (R5)")
    func sandboxBeside() {
        for seed in 0..<200 as Range<UInt64> {
            let facts = RandomFacts.make(seed: seed)
            let sandbox = RandomFacts.make(seed: seed, environment: "Sandbox")
            let mixed = zip(facts, sandbox).flatMap { [$1, $0] } + facts.dropFirst(sandbox.count)
            guard answers(world(facts, notifying: false)) == answers(world(mixed, notifying: false)) else {
                Issue.record("seed \(seed): Sandbox changed Production")
                return
            }
        }
    }
}
