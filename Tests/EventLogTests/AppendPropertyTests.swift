import Entitlements
import FoundationEssentials
import Postgres
import TestSupport
import Testing

@testable import EventLog

/// Random batches, compared answer by answer with the model.
struct AppendPropertyTests {
    private static let batches = 150

    @Test func anyBatchesAnswerAsTheModelSays() async throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("AppendPropertyTests seed \(seed)")
        try await withLog { _, session in
            let store = EventStore(session)
            var source = BatchSource(seed: seed)
            for round in 0..<Self.batches {
                if source.random.chance(10) {
                    let account = source.hintedAccount()
                    let answer = try await store.registerAccount(AccountKey(app: 1, account), at: now)
                    #expect(Set(answer.hinted) == source.model.register(account), "seed \(seed) round \(round)")
                    continue
                }
                let groups = source.groups(round: round)
                let answer = try await store.append(groups)
                let expected = source.model.append(groups)
                try #require(answer == expected, "seed \(seed) round \(round)")
            }
            #expect(try await session.brokenInvariants() == [], "seed \(seed)")
            try await compare(store, with: source.model, seed: seed)
        }
    }

    private func compare(_ store: EventStore, with model: LogModel, seed: UInt64) async throws {
        let keys = Array(model.streams.keys)
        let lineages = model.lineages.keys.map { LineageKey(app: 1, $0) }
        let loaded = try await store.load(streams: keys.map(\.id), lineages: lineages, generation: 1)
        let rows = model.lineages.map { (LineageKey(app: 1, $0.key), $0.value) }
        #expect(loaded.lineages == Dictionary(uniqueKeysWithValues: rows), "seed \(seed)")
        for (key, stream) in model.streams {
            let stored = StoredStream(version: stream.version, snapshot: stream.state)
            #expect(loaded.streams[key.id] == stored, "seed \(seed)")
            let events = try await store.events(of: key.id, limit: 1000)
            #expect(events.map(\.content) == stream.events, "seed \(seed)")
            #expect(events.map(\.seq) == Array(1...Int64(stream.events.count)), "seed \(seed)")
            let dates = try await store.resigned(of: key.id).map(\.copy)
            #expect(Set(dates) == stream.dates && dates.count == stream.dates.count, "seed \(seed)")
        }
    }
}

/// Makes batches that mostly fit what the model holds, and sometimes do not.
private struct BatchSource {
    var random: SeededGenerator
    var model = LogModel()
    private let accounts = crowdedAccounts(lanes: 2, each: 4)
    private var lastNumber = 0

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func hintedAccount() -> AccountID { account(30_000 + Int.random(in: 0..<8, using: &random)) }

    mutating func groups(round: Int) -> [AppendGroup] {
        var lineages = (1...6).map { lineage("L\($0)") }.shuffled(using: &random)
        let count = Int.random(in: 1...4, using: &random)
        return accounts.shuffled(using: &random).prefix(count).map { account in
            var expected = model.streams[key(account)]?.version ?? .empty
            if random.chance(8) { expected.version += 1 }
            if random.chance(5) { expected.resigned += 1 }
            let dates = (0..<(random.chance(30) ? 2 : 0)).map { _ in
                resigned(1, at: Int64.random(in: 1...20, using: &random))
            }
            var numbers = (0..<Int.random(in: 0...3, using: &random)).map { _ in eventNumber() }
            if numbers.isEmpty, dates.isEmpty || expected.version == 0 { numbers = [eventNumber()] }
            var group = group(account, set: random.chance(40) ? 1 : 0, at: expected, numbers, resigned: dates)
            group.states = [state(UInt8(round))]
            if random.chance(50), let lineage = lineages.popLast() { group.lineages.append(change(of: lineage)) }
            if random.chance(20), let lineage = lineages.popLast() { group.lineages.append(change(of: lineage)) }
            return group
        }
    }

    private mutating func eventNumber() -> Int {
        if random.chance(10) { return Int.random(in: 0...lastNumber, using: &random) }
        lastNumber += 1
        return lastNumber
    }

    private mutating func change(of lineage: LineageRef) -> LineageChange {
        var expected = model.lineages[lineage]?.version ?? 0
        if random.chance(10) { expected = Int64.random(in: 0...3, using: &random) }
        if random.chance(30), expected > 0 { return .check(lineage, expected: expected) }
        let hints = (0..<(random.chance(40) ? 2 : 0)).map { _ in hintedAccount() }
        let parties = random.chance(50) ? [account(1)] : []
        let record = record(
            parties: parties, hints: Set(hints).subtracting(random.chance(80) ? model.known : []).sorted(),
            isLocked: random.chance(10))
        return .write(record, of: lineage, expected: expected)
    }
}
