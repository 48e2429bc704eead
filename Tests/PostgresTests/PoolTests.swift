import Postgres
import TestSupport
import Testing

@Suite struct PoolTests {
    private let pid = PostgresStatement(name: "pid", sql: "SELECT pg_backend_pid()")

    private func options(maximum: Int) -> PostgresPoolOptions {
        var options = PostgresPoolOptions()
        options.maximumSessions = maximum
        // A busy machine takes its time to connect; the tests of the limit set their own.
        options.waitTimeout = .seconds(60)
        return options
    }

    @Test func manyTasksShareFewSessions() async throws {
        try await withPostgresPool(TestDatabase.admin, options: options(maximum: 3)) { pool in
            let pids = try await withThrowingTaskGroup(of: Int32.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        try await pool.withSession { try await $0.query(pid)[0].decode(Int32.self, at: 0) }
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect((1...3).contains(pids.count))
        }
    }

    @Test func waitingHasALimitInTime() async throws {
        var options = options(maximum: 1)
        options.waitTimeout = .milliseconds(100)
        try await withPostgresPool(TestDatabase.admin, options: options) { pool in
            var isExhausted = false
            while !isExhausted {
                do {
                    try await pool.withSession { _ in
                        let error = await #expect(throws: PostgresError.self) { try await pool.withSession { _ in } }
                        #expect(error?.code == .poolExhausted)
                    }
                    isExhausted = true
                } catch let error as PostgresError where error.code == .poolExhausted {
                    // On a busy machine the first connect takes longer than the limit.
                }
            }
        }
    }

    @Test func waitingEndsWithTheTask() async throws {
        try await withPostgresPool(TestDatabase.admin, options: options(maximum: 1)) { pool in
            try await pool.withSession { _ in
                let task = Task { try await pool.withSession { _ in } }
                task.cancel()
                let error = await #expect(throws: PostgresError.self) { try await task.value }
                #expect(error?.code == .cancelled)
            }
        }
    }

    @Test func anOpenTransactionIsNotLentAgain() async throws {
        try await withPostgresPool(TestDatabase.admin, options: options(maximum: 1)) { pool in
            let first = try await pool.withSession { session in
                try await session.execute("BEGIN")
                return try await session.query(pid)[0].decode(Int32.self, at: 0)
            }
            let second = try await pool.withSession { try await $0.query(pid)[0].decode(Int32.self, at: 0) }
            #expect(first != second)
        }
    }

    @Test func aServerThatIsNotThereIsNamedToWhoWaits() async throws {
        var options = options(maximum: 1)
        options.waitTimeout = .seconds(5)
        let pool = PostgresPool(connectionString: "host=/nonexistent", options: options, reactors: [testReactor])
        let running = Task { await pool.run() }
        let error = await #expect(throws: PostgresError.self) { try await pool.withSession { _ in } }
        #expect(error?.code == .connectionFailed)
        running.cancel()
        await running.value
        let closed = await #expect(throws: PostgresError.self) { try await pool.withSession { _ in } }
        #expect(closed?.code == .closed)
    }
}
