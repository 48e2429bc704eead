@testable import Entitlements
import Testing

/// States are folds: in one go, in pieces, stored and read in between, or replayed (rules.md R10).
@Suite("Folding and replay (R10)")
struct FoldTests {
    private static let environments: [Environment] = [.production, .sandbox]

    @Test("Replay equals live, stored equals held, pieces equal the whole", arguments: 0..<4 as Range<UInt64>)
    func folds(block: UInt64) throws {
        for seed in block * 150..<block * 150 + 150 {
            var world = RandomWorld.empty(known: [RandomFacts.accounts[0]])
            for (at, step) in RandomWorld.steps(seed: seed) { world.apply(step, at: at) }
            for account in RandomFacts.accounts {
                for environment in Self.environments {
                    let stream = StreamRef.account(environment, account)
                    guard try isReproducible(world, stream) else {
                        Issue.record("seed \(seed): \(stream) is not what its events say")
                        return
                    }
                }
            }
        }
    }

    private func isReproducible(_ world: World, _ stream: StreamRef) throws -> Bool {
        let live = world.state(stream)
        let events = world.events(of: stream)
        let notes = world.notes(of: stream)
        let bytes = live.encoded()
        let replayed = AccountState.fold(events, notes: notes, account: stream.account)
        let decoded = try AccountState(decoding: bytes)
        var pieces = AccountState.fold(Array(events.prefix(events.count / 2)), notes: [], account: stream.account)
        pieces = try AccountState(decoding: pieces.encoded())
        for event in events.dropFirst(events.count / 2) { pieces.apply(event) }
        for note in notes { pieces.apply(note) }
        return replayed.encoded() == bytes && decoded.encoded() == bytes && pieces.encoded() == bytes
            && live.version == Int64(events.count)
    }
}
