import Testing

@testable import Entitlements

/// Whose it is, whatever happens (rules.md R7).
@Suite("Ownership under random histories (R7)")
struct OwnershipPropertyTests {
    @Test("Parties see one lineage alike, and no instant gives two accounts access", arguments: 0..<4 as Range<UInt64>)
    func oneLineageForAll(block: UInt64) {
        for seed in block * 100..<block * 100 + 100 {
            var world = RandomWorld.empty(known: [RandomFacts.accounts[0], RandomFacts.accounts[1]])
            for (at, step) in RandomWorld.steps(seed: seed) {
                world.apply(step, at: at)
                guard lineagesAgree(world) else {
                    Issue.record("seed \(seed): two accounts hold different copies of one lineage after \(step)")
                    return
                }
            }
            guard accessIsExclusive(world) else {
                Issue.record("seed \(seed): one transaction gives two accounts access at one instant")
                return
            }
        }
    }

    private func lineagesAgree(_ world: World) -> Bool {
        var seen: [String: [UInt8]] = [:]
        for account in RandomFacts.accounts {
            for (id, lineage) in world.state(.account(.production, account)).lineages {
                // What is entered in a ledger is one account's own affair.
                guard !lineage.isConsumable else { continue }
                var alone = AccountState(account: .nobody)
                alone.lineages[id] = lineage
                let bytes = alone.encoded()
                if let other = seen[id], other != bytes { return false }
                seen[id] = bytes
            }
        }
        return true
    }

    private func accessIsExclusive(_ world: World) -> Bool {
        var intervals: [String: [Interval]] = [:]
        for account in RandomFacts.accounts {
            for grantor in world.derivation(account: account, environment: .production).grantors {
                guard let transaction = grantor.transaction, transaction.type != .nonRenewing else { continue }
                intervals[transaction.transactionId, default: []] += grantor.intervals
            }
        }
        return intervals.values.allSatisfy { parts in
            let sorted = parts.sorted { $0.start < $1.start }
            return zip(sorted, sorted.dropFirst()).allSatisfy { $0.end <= $1.start }
        }
    }

    @Test("A push that is told 'belongs to another account' moves nothing", arguments: 0..<2 as Range<UInt64>)
    func refusedPushMovesNothing(block: UInt64) {
        for seed in block * 150..<block * 150 + 150 {
            var world = RandomWorld.empty(known: [RandomFacts.accounts[0], RandomFacts.accounts[1]])
            for (at, step) in RandomWorld.steps(seed: seed) {
                let before = world
                let outcomes = world.apply(step, at: at)
                guard case .push(let pusher, let facts, let isRestore) = step,
                    case .transaction(let payload)? = facts.first,
                    case .belongsToAnotherAccount(let refusal)? = outcomes.first, !isRestore || refusal != nil,
                    let lineage = payload["originalTransactionId"]?.stringValue
                else { continue }
                // The fact may speak by its own token: then it does so whoever brings it.
                var told = before
                told.makeKnown(pusher, at: at)
                if let fact = facts.first { told.learn(fact, at: at) }
                guard timelines(world, lineage, payload) == timelines(told, lineage, payload) else {
                    Issue.record("seed \(seed): a refused push of \(lineage) moved it")
                    return
                }
            }
        }
    }

    private func timelines(_ world: World, _ lineage: String, _ payload: JSONObject) -> Set<[OwnerSpan]> {
        let environment = Environment(rawValue: payload["environment"]?.stringValue ?? "")
        return Set(
            RandomFacts.accounts.compactMap {
                world.state(.account(environment, $0)).lineages[lineage]?.ownerTimeline()
            })
    }
}
