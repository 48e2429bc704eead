import Entitlements
import EventLog
import FoundationEssentials
import Postgres
import TestSupport

/// A database with all migrations, for copying.
private let migrated = TestTemplate(name: "event_log") { session in
    try await Migrator(session).migrate()
}

/// Runs a test with a log of its own.
func withLog<T: Sendable>(_ body: (TestDatabase, PostgresSession) async throws -> T) async throws -> T {
    try await withTestDatabase(template: try await migrated.ready()) { database in
        try await withPostgresSession(database) { try await body(database, $0) }
    }
}

let now: Milliseconds = 1_800_000_000_000

/// The account with a number.
func account(_ number: Int) -> AccountID {
    AccountID(UUID(uuid: (0xAC, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, UInt8(number >> 8), UInt8(number & 0xFF))))
}

/// The stream of the account with a number.
func key(_ number: Int) -> StreamKey {
    StreamKey(app: 1, environment: .production, account: account(number))
}

/// The event that says the number.
func event(_ number: Int, lineage: String = "") -> EventContent {
    let bytes = withUnsafeBytes(of: Int64(number)) { Array($0) }
    var content = EventContent(
        dedupeKey: EventContent.dedupeKey(kind: 1, parts: [bytes]), kind: 1, source: 0, occurredAt: now - 5,
        learnedAt: now - 1, payload: bytes)
    content.originalTransactionId = lineage
    return content
}

func resigned(_ object: Int, at date: Milliseconds) -> ResignedCopy {
    ResignedCopy(kind: 1, objectID: "\(object)", contentHash: event(object).dedupeKey, signedAt: date)
}

func state(_ byte: UInt8) -> FoldedState {
    FoldedState(state: [byte], hash: [byte], nextChangeAt: nil)
}

func lineage(_ id: String) -> LineageRef { LineageRef(.production, id) }

func record(parties: [AccountID] = [], hints: [AccountID] = [], isLocked: Bool = false) -> LineageRecord {
    var record = LineageRecord()
    record.parties = parties
    record.hints = hints
    record.isLocked = isLocked
    return record
}

/// A group with the state `[1]` in one generation.
func group(
    _ number: Int, set: Int32 = 0, at expected: StreamVersion = .empty, _ events: [Int],
    resigned: [ResignedCopy] = [], lineages: [LineageChange] = []
) -> AppendGroup {
    AppendGroup(
        key: key(number), set: set, expected: expected, recordedAt: now, events: events.map { event($0) },
        resigned: resigned, lineages: lineages, states: [state(1)])
}

func version(_ version: Int64, _ resigned: Int32 = 0) -> StreamVersion { StreamVersion(version, resigned: resigned) }

extension EventStore {
    func append(_ groups: [AppendGroup], wait: Bool = true) async throws -> [AppendResult] {
        try await append(AppendBatch(generations: [1], groups: groups), wait: wait)
    }
}

extension PostgresSession {
    /// The text of every cell of a query's answer.
    func texts(_ sql: String) async throws -> [[String]] {
        let results = try await execute(sql)
        guard let result = results.last else { return [] }
        return try result.map { row in
            try (0..<result.columnCount).map { try row.decode(String?.self, at: $0) ?? "null" }
        }
    }
}

/// A small seeded generator (SplitMix64), so that a failing run can be repeated.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}
