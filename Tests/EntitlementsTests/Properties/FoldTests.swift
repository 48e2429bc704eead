import Testing

@testable import Entitlements

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
        let pieces = try foldedInPieces(events, notes: notes, account: stream.account)
        return replayed.encoded() == bytes && decoded.encoded() == bytes && pieces.encoded() == bytes
            && live.version == Int64(events.count)
    }

    /// Stored and read again in the middle, as a snapshot that later events are folded onto.
    private func foldedInPieces(_ events: [Event], notes: [SigningNote], account: AccountID) throws -> AccountState {
        let half = events.count / 2
        guard half < events.count else { return AccountState.fold(events, notes: notes, account: account) }
        let boundary = events[half].recordedAt
        let first = AccountState.fold(
            Array(events.prefix(half)), notes: notes.filter { $0.recordedAt < boundary }, account: account)
        var state = try AccountState(decoding: first.encoded())
        var rest = notes.filter { $0.recordedAt >= boundary }[...]
        for event in events.dropFirst(half) {
            while let note = rest.first, note.recordedAt < event.recordedAt {
                state.apply(note)
                rest.removeFirst()
            }
            state.apply(event)
        }
        for note in rest { state.apply(note) }
        return state
    }
}
