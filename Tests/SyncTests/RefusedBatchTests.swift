import Entitlements
import Postgres
import Sync
import TestSupport
import Testing

/// One value that PostgreSQL does not take, among others that it does.
@Suite struct RefusedBatchTests {
    /// The server refuses the event of one transaction as it refuses any content it cannot hold.
    private static let refusesOne = """
        CREATE FUNCTION refuse_one() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF NEW.transaction_id = '66' THEN RAISE EXCEPTION 'no' USING ERRCODE = 'data_exception'; END IF;
          RETURN NEW;
        END $$;
        CREATE TRIGGER refuse_one BEFORE INSERT ON ev.event FOR EACH ROW EXECUTE FUNCTION refuse_one();
        """

    private struct WaitedInVain: Error {}

    private func eventually(_ condition: () async throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(120)
        while try await !condition() {
            guard ContinuousClock.now < deadline else { throw WaitedInVain() }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    @Test func oneValueThatTheDatabaseRefusesFailsAlone() async throws {
        try await withEngine(catalog: EngineTests.catalog, writers: 1) { fixture, database in
            try await withPostgresSession(database) { other in
                try await other.execute(Self.refusesOne)
                // One append waits for this lock, and all that comes meanwhile meets in the batch behind it.
                try await other.execute("BEGIN; LOCK TABLE ev.event IN EXCLUSIVE MODE")
                @Sendable func push(_ id: Int) async -> SyncError.Code? {
                    do {
                        let jws = try EngineTests.transaction(id)
                        _ = try await fixture.engine.push(
                            transactions: [jws], account: EngineTests.account(id), app: fixture.app)
                        return nil
                    } catch {
                        return (error as? SyncError)?.code ?? .unreadableLog
                    }
                }
                let answers = try await withThrowingTaskGroup(of: (Int, SyncError.Code?).self) { group in
                    group.addTask { (60, await push(60)) }
                    try await eventually {
                        try await other.execute("SELECT 1 FROM pg_locks WHERE NOT granted")[0].rowCount > 0
                    }
                    for id in 61...70 { group.addTask { (id, await push(id)) } }
                    try await eventually { await fixture.writers[0].statistics.waiting == 10 }
                    try await other.execute("COMMIT")
                    return try await group.reduce(into: [Int: SyncError.Code?]()) { $0[$1.0] = $1.1 }
                }
                #expect(answers.count == 11)
                for (id, code) in answers { #expect(code == (id == 66 ? .unstorable : nil), "transaction \(id)") }
                for id in 60...70 {
                    let view = try await fixture.engine.view(
                        of: EngineTests.account(id), environment: .production, app: fixture.app)
                    #expect(view.order.version == (id == 66 ? 0 : 1) * 2, "the purchase and its claim, or nothing")
                }
                #expect(await push(71) == nil, "the writer goes on")
                try await other.execute("DROP TRIGGER refuse_one ON ev.event")
                #expect(await push(66) == nil, "nothing of what was refused is remembered")
            }
        }
    }
}
