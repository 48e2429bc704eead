import Entitlements
import EventLog
import Postgres
import Sync
import Synchronization
import TestSupport
import Testing

/// A connection whose queries wait while it is closed.
private actor GatedConnection: LogConnection {
    private let session: PostgresSession
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var arrival: CheckedContinuation<Void, Never>?

    init(_ session: PostgresSession) { self.session = session }

    /// Returns once a query waits.
    func somebodyWaits() async {
        if waiting.isEmpty { await withCheckedContinuation { arrival = $0 } }
    }

    func open() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    private func pass() async {
        guard !isOpen else { return }
        await withCheckedContinuation { continuation in
            waiting.append(continuation)
            arrival?.resume()
            arrival = nil
        }
    }

    /// Reads first and waits then: what it answers is as old as the question.
    func query(
        _ statement: PostgresStatement, _ parameters: PostgresParameters
    ) async throws(PostgresError) -> PostgresResult {
        let result = try await session.query(statement, parameters)
        await pass()
        return result
    }

    func query(_ commands: [PostgresCommand]) async throws(PostgresError) -> [PostgresResult] {
        let results = try await session.query(commands)
        await pass()
        return results
    }
}

@Suite struct LiveTermsTests {
    /// Found by concurrent catalog changes: the refresh that ended last put older terms back.
    @Test func aRefreshThatBeganEarlierDoesNotUndoALaterOne() async throws {
        try await withEngine(catalog: EngineTests.catalog) { fixture, database in
            try await withPostgresSession(database) { session in
                let gate = GatedConnection(session)
                let terms = fixture.engine.terms
                let slow = Task { try await terms.refresh(from: EventStore(gate)) }
                await gate.somebodyWaits()
                _ = try await fixture.store.appendCatalogRevision(
                    app: fixture.app.number, previous: 1, actor: "test", reason: "test", document: "{}", at: 5)
                let change = try await terms.refresh(from: fixture.store)
                #expect(change.activations.count == 1)
                #expect(terms.app(number: fixture.app.number)?.catalogRevision == 2)
                await gate.open()
                #expect(try await slow.value.activations.isEmpty)
                #expect(terms.app(number: fixture.app.number)?.catalogRevision == 2)
            }
        }
    }
}
