import TestSupport
import Testing

@testable import Postgres

/// What happens to those who wait when the server ends a session.
@Suite struct ConnectionLossTests {
    private let sleep = PostgresStatement(name: "sleep", sql: "SELECT pg_sleep(60)")
    private let one = PostgresStatement(name: "one", sql: "SELECT 1")
    private let terminate = PostgresStatement(
        name: "terminate", sql: "SELECT pg_terminate_backend($1)", parameterTypes: [.int4])
    private let isSleeping = PostgresStatement(
        name: "isSleeping", sql: "SELECT count(*) FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'PgSleep'",
        parameterTypes: [.int4])

    /// Waits until the server executes a sleep for the session.
    private func untilSleeping(_ session: PostgresSession) async throws {
        let pid = try #require(await session.serverProcessID)
        try await withPostgresSession(TestDatabase.admin) { other in
            let deadline = ContinuousClock.now + .seconds(60)
            var count: Int64 = 0
            while count == 0, ContinuousClock.now < deadline {
                count = try await other.query(isSleeping, PostgresParameters(pid))[0].decode(at: 0)
            }
            #expect(count == 1)
        }
    }

    private func kill(_ session: PostgresSession) async throws {
        let pid = try #require(await session.serverProcessID)
        try await withPostgresSession(TestDatabase.admin) { other in
            _ = try await other.query(terminate, PostgresParameters(pid))
        }
    }

    private func code(_ session: PostgresSession, _ statement: PostgresStatement) async -> PostgresError.Code? {
        do throws(PostgresError) { _ = try await session.query(statement) } catch { return error.code }
        return nil
    }

    @Test func everybodyWhoWaitsIsTold() async throws {
        var options = PostgresSessionOptions()
        options.maximumInFlight = 5
        options.statementTimeout = .zero
        try await withPostgresSession(TestDatabase.admin, options: options) { session in
            let codes = try await withThrowingTaskGroup(of: PostgresError.Code?.self) { group in
                for _ in 0..<20 { group.addTask { await code(session, sleep) } }
                try await untilSleeping(session)
                try await kill(session)
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.count { $0 == .connectionLost } == 5)
            #expect(codes.count { $0 == .notSent } == 15)
            #expect(await !session.isOpen)
            #expect(await code(session, one) == .notSent)
        }
    }

    @Test func aTransactionIsTold() async throws {
        try await withPostgresSession(TestDatabase.admin) { session in
            let error = await #expect(throws: PostgresError.self) {
                try await session.transaction { transaction in
                    _ = try await transaction.query(one)
                    try await kill(session)
                    _ = try await transaction.query(one)
                }
            }
            #expect(error?.code == .connectionLost || error?.code == .notSent)
        }
    }

    @Test func aCopyIsTold() async throws {
        try await withPostgresSession { session in
            try await session.execute("CREATE TABLE t (n text)")
            let error = await #expect(throws: PostgresError.self) {
                try await session.copyIn("COPY t FROM STDIN") { writer in
                    try await writer.write(Array("a\n".utf8))
                    try await kill(session)
                    while true { try await writer.write(Array(repeating: UInt8(ascii: "\n"), count: 1 << 16)) }
                }
            }
            #expect(error?.code == .connectionLost)
        }
    }

    @Test func streamsOfNotificationsEnd() async throws {
        try await withPostgresSession(TestDatabase.admin) { session in
            let stream = try await session.listen(to: "unused")
            try await kill(session)
            for await _ in stream {}
            #expect(await !session.isOpen)
        }
    }

    @Test func abortFailsWhatWasSent() async throws {
        try await withPostgresSession(TestDatabase.admin) { session in
            async let lost = code(session, sleep)
            try await untilSleeping(session)
            await session.abort()
            #expect(await lost == .connectionLost)
            #expect(await code(session, one) == .closed)
        }
    }

    @Test func closeWaitsForWhatWasSent() async throws {
        try await withPostgresSession(TestDatabase.admin) { session in
            let brief = PostgresStatement(name: "brief", sql: "SELECT pg_sleep(3)")
            let answered = Task { await code(session, brief) }
            try await untilSleeping(session)
            await session.close()
            #expect(await answered.value == nil)
            #expect(await code(session, one) == .closed)
            await session.close()
        }
    }

    @Test func aSilentServerIsGivenUp() async throws {
        var options = PostgresSessionOptions()
        options.statementTimeout = .zero
        options.responseTimeout = .milliseconds(100)
        try await withPostgresSession(TestDatabase.admin, options: options) { session in
            #expect(await code(session, sleep) == .connectionLost)
        }
    }

    @Test func aPoolRecoversByItself() async throws {
        var options = PostgresPoolOptions()
        options.minimumSessions = 2
        options.maximumSessions = 2
        try await withPostgresPool(TestDatabase.admin, options: options) { pool in
            for _ in 0..<5 {
                try await pool.withSession { session in
                    try await kill(session)
                    #expect([.connectionLost, .notSent].contains(await code(session, one)))
                }
                let count = try await pool.withSession { try await $0.query(one).count }
                #expect(count == 1)
            }
        }
    }
}
