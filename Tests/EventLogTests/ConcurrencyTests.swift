import Entitlements
import FoundationEssentials
import Postgres
import TestSupport
import Testing

@testable import EventLog

/// Several writers at once, as instances are that cannot agree on lanes.
struct ConcurrencyTests {
    /// Writers whose sessions are killed at random and who send unknown outcomes again: nothing acknowledged is lost or
    /// doubled, every order is dense, and every state is what a replay of its stream gives.
    @Test func killedWritersLoseAndDoubleNothing() async throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("ConcurrencyTests seed \(seed)")
        try await withLog { database, session in
            let acknowledged = Acknowledged()
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for number in 0..<4 {
                    tasks.addTask {
                        var writer = Writer(number: number, seed: seed &+ UInt64(number), database: database)
                        for _ in 0..<30 { await acknowledged.add(try await writer.appendSomething()) }
                        await writer.session?.close()
                    }
                }
                tasks.addTask { try await kill(session, times: 15) }
                try await tasks.waitForAll()
            }
            #expect(try await session.brokenInvariants() == [], "seed \(seed)")
            try await compare(EventStore(session), with: await acknowledged.numbers, seed: seed)
        }
    }

    private func kill(_ session: PostgresSession, times: Int) async throws {
        for _ in 0..<times {
            // Whoever is in the middle of an append.
            try await session.execute(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                 WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'active'
                   AND query LIKE '%append_batch%' ORDER BY random() LIMIT 1
                """)
            try await session.execute("SELECT pg_sleep(0.01)")
        }
    }

    private func compare(
        _ store: EventStore, with acknowledged: [StreamKey: [UUID: Int64]], seed: UInt64
    ) async throws {
        let loaded = try await store.load(streams: acknowledged.keys.map(\.id), generation: 1)
        for (key, results) in acknowledged {
            let events = try await store.events(of: key.id, limit: 10_000)
            let numbers = Dictionary(uniqueKeysWithValues: events.map { ($0.content.dedupeKey, $0.seq) })
            for (event, seq) in results { #expect(numbers[event] == seq, "seed \(seed)") }
            var fold = Fold()
            for event in events { fold.apply(event.content) }
            for row in try await store.resigned(of: key.id) { fold.dates.insert(row.copy.signedAt) }
            #expect(loaded.streams[key.id]?.snapshot?.state == fold.bytes, "seed \(seed)")
        }
    }

    @Test func aBatchThatWasCutOffIsSentAgain() async throws {
        try await withLog { database, session in
            let batch = [group(1, [1, 2], lineages: [.write(record(), of: lineage("L1"), expected: 0)])]
            try await withPostgresSession(database) { holder in
                try await holder.transaction { transaction in
                    try await transaction.execute("SELECT 1 FROM ev.lane FOR UPDATE")
                    let victim = try await PostgresSession.connect(
                        to: database.connectionString, on: testReactor)
                    let cutOff = Task { try await EventStore(victim).append(batch) }
                    // Until the append waits for the lane, then the end of its session.
                    let end = """
                        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%append_batch%'
                        """
                    var isEnded = false
                    for _ in 0..<10_000 where !isEnded { isEnded = try await !session.texts(end).isEmpty }
                    try #require(isEnded)
                    await #expect(throws: PostgresError.self) { try await cutOff.value }
                }
            }
            let store = EventStore(session)
            #expect(try await store.append(batch)[0].code == .written)
            let again = try await store.append(batch)
            #expect(again[0].code == .known)
            #expect(again[0].events.map(\.seq) == [1, 2])
            #expect(try await session.brokenInvariants() == [])
        }
    }

    /// Sessions append sets over the same streams, or only over the same lineages, old and new ones, each in its own order.
    @Test(arguments: [true, false])
    func crossingSetsDoNotDeadlock(sharesStreams: Bool) async throws {
        try await withLog { database, session in
            var sessions: [PostgresSession] = []
            for _ in 0..<4 {
                sessions.append(try await PostgresSession.connect(to: database.connectionString, on: testReactor))
            }
            let stores = sessions.map { EventStore($0) }
            var written = 0
            for round in 0..<50 {
                // All begin together, so that they meet at rows that are new to all of them.
                written += try await withThrowingTaskGroup(of: Int.self) { tasks in
                    for (writer, store) in stores.enumerated() {
                        let accounts = (1...4).map { sharesStreams ? $0 : writer * 10 + $0 }
                        tasks.addTask {
                            try await appendCrossing(store, writer: writer, accounts: accounts, round: round)
                        }
                    }
                    return try await tasks.reduce(0, +)
                }
            }
            for session in sessions { await session.close() }
            #expect(written > 0)
            #expect(try await session.brokenInvariants() == [])
        }
    }

    /// Answers how many groups were written. A deadlock would throw.
    private func appendCrossing(
        _ store: EventStore, writer: Int, accounts: [Int], round: Int
    ) async throws -> Int {
        let order = writer % 2 == 0 ? accounts : accounts.reversed()
        let names = (0..<8).map { "L\($0 < 4 ? $0 : $0 + round * 4)" }
        let refs = (writer % 2 == 0 ? names : names.reversed()).map(lineage)
        let loaded = try await store.load(
            streams: order.map { key($0).id }, lineages: refs.map { LineageKey(app: 1, $0) }, generation: 1)
        var groups = order.map { account in
            group(account, set: 1, at: loaded.streams[key(account).id]?.version ?? .empty, [writer * 1000 + round])
        }
        for (place, ref) in refs.enumerated() {
            let expected = loaded.lineages[LineageKey(app: 1, ref)]?.version ?? 0
            // Hints lock accounts before the rows, so in every other round only the rows' own order counts.
            let hints = round % 2 == 0 ? [account(500 + writer), account(510 - place)] : []
            let change = LineageChange.write(record(hints: hints), of: ref, expected: expected)
            groups[place % groups.count].lineages.append(change)
        }
        return try await store.append(groups).filter { $0.code == .written }.count
    }
}

/// What was answered as stored, by stream.
private actor Acknowledged {
    private(set) var numbers: [StreamKey: [UUID: Int64]] = [:]

    func add(_ answers: [(key: StreamKey, event: UUID, seq: Int64)]) {
        for answer in answers { numbers[answer.key, default: [:]][answer.event] = answer.seq }
    }
}

/// A state that a replay can check: depends on the order of the events and not on that of the dates.
private struct Fold {
    var hash: UInt64 = 0
    var dates: Set<Int64> = []

    init() {}

    init(_ bytes: [UInt8]) {
        let words = bytes.withUnsafeBytes { raw in
            stride(from: 0, to: raw.count, by: 8).map { raw.loadUnaligned(fromByteOffset: $0, as: UInt64.self) }
        }
        hash = words.first ?? 0
        dates = Set(words.dropFirst().map(Int64.init))
    }

    var bytes: [UInt8] {
        ([hash] + dates.sorted().map(UInt64.init)).flatMap { withUnsafeBytes(of: $0) { Array($0) } }
    }

    mutating func apply(_ event: EventContent) {
        for byte in event.payload { hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01B3 }
    }
}

/// One instance: loads, folds, appends; connects anew when its session is gone.
private struct Writer {
    let number: Int
    let database: TestDatabase
    var random: SeededGenerator
    var session: PostgresSession?
    private let accounts = crowdedAccounts(lanes: 2, each: 3)
    private var lastNumber = 0

    init(number: Int, seed: UInt64, database: TestDatabase) {
        self.number = number
        self.database = database
        random = SeededGenerator(seed: seed)
    }

    mutating func appendSomething() async throws -> [(key: StreamKey, event: UUID, seq: Int64)] {
        let chosen = Array(accounts.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)))
        let set: Int32 = random.chance(30) ? 1 : 0
        let events = chosen.map { _ in [newNumber()] + (random.chance(20) ? [newNumber()] : []) }
        let dates = random.chance(30) ? [resigned(1, at: Int64.random(in: 1...1_000_000, using: &random))] : []
        let wait = random.chance(50)
        let loaded = try await retrying { store in
            try await store.load(streams: chosen.map { key($0).id }, generation: 1)
        }
        let groups = zip(chosen, events).map { account, events in
            let stream = loaded.streams[key(account).id]
            var group = group(account, set: set, at: stream?.version ?? .empty, events, resigned: dates)
            var fold = Fold(stream?.snapshot?.state ?? [])
            for event in group.events { fold.apply(event) }
            for date in dates { fold.dates.insert(date.signedAt) }
            group.states = [FoldedState(state: fold.bytes, hash: [], nextChangeAt: nil)]
            return group
        }
        // Sent again unchanged if the session breaks: what was written then answers as known.
        let results = try await retrying { try await $0.append(groups, wait: wait) }
        return zip(groups, results).flatMap { group, result in
            zip(group.events, result.events).filter { $0.1.code == .written || $0.1.code == .known }
                .map { (group.key, $0.0.dedupeKey, $0.1.seq) }
        }
    }

    private mutating func newNumber() -> Int {
        lastNumber += 1
        return number * 100_000 + lastNumber
    }

    private mutating func retrying<T>(_ body: (EventStore) async throws -> T) async throws -> T {
        while true {
            do {
                let session = try await connected()
                return try await body(EventStore(session))
            } catch let error as PostgresError where error.isRetryable {
                await session?.close()
                session = nil
            }
        }
    }

    private mutating func connected() async throws -> PostgresSession {
        if let session { return session }
        let new = try await PostgresSession.connect(to: database.connectionString, on: testReactor)
        session = new
        return new
    }
}
