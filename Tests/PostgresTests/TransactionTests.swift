import Postgres
import TestSupport
import Testing

@Suite struct TransactionTests {
    private struct GivenUp: Error {}

    private let insert = PostgresStatement(name: "insert", sql: "INSERT INTO t VALUES ($1)", parameterTypes: [.int8])
    private let count = PostgresStatement(name: "count", sql: "SELECT count(*) FROM t")

    private func withTable(_ body: (PostgresSession) async throws -> Void) async throws {
        try await withPostgresSession { session in
            try await session.execute("CREATE TABLE t (n int8 PRIMARY KEY)")
            try await body(session)
        }
    }

    private func rows(_ session: PostgresSession) async throws -> Int64 {
        try await session.query(count)[0].decode(at: 0)
    }

    @Test func commitsWhatItsBodyDid() async throws {
        try await withTable { session in
            let value = try await session.transaction(isolation: .serializable) { transaction in
                _ = try await transaction.query(insert, PostgresParameters(1 as Int64))
                try await transaction.execute("INSERT INTO t VALUES (2); INSERT INTO t VALUES (3)")
                try await transaction.copyIn("COPY t FROM STDIN") { try await $0.write(Array("4\n5\n".utf8)) }
                return 42
            }
            #expect(value == 42)
            #expect(try await rows(session) == 5)
        }
    }

    @Test func rollsBackWhenItsBodyThrows() async throws {
        try await withTable { session in
            await #expect(throws: GivenUp.self) {
                try await session.transaction { transaction in
                    _ = try await transaction.query(insert, PostgresParameters(1 as Int64))
                    throw GivenUp()
                }
            }
            let rows = try await rows(session)
            #expect(rows == 0)
        }
    }

    @Test func rollsBackWhenItsTaskIsCancelled() async throws {
        try await withTable { session in
            let task = Task {
                try await session.transaction { transaction in
                    _ = try await transaction.query(insert, PostgresParameters(1 as Int64))
                    withUnsafeCurrentTask { $0?.cancel() }
                    _ = try await transaction.query(insert, PostgresParameters(2 as Int64))
                }
            }
            let error = await #expect(throws: PostgresError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            let rows = try await rows(session)
            #expect(rows == 0)
        }
    }

    @Test func anErrorThatWasSwallowedIsNotACommit() async throws {
        try await withTable { session in
            let error = await #expect(throws: PostgresError.self) {
                try await session.transaction { transaction in
                    _ = try await transaction.query(insert, PostgresParameters(1 as Int64))
                    _ = try? await transaction.query(insert, PostgresParameters(1 as Int64))
                }
            }
            #expect(error?.sqlState == .inFailedTransaction)
            let rows = try await rows(session)
            #expect(rows == 0)
        }
    }

    @Test func othersWaitForItsEnd() async throws {
        try await withTable { session in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<40 as Range<Int64> {
                    group.addTask {
                        guard number % 2 == 0 else {
                            // Both rows of each transaction, or none.
                            let seen = try await rows(session)
                            #expect(seen % 2 == 0)
                            return
                        }
                        try await session.transaction { transaction in
                            _ = try await transaction.query(insert, PostgresParameters(number))
                            _ = try await transaction.query(insert, PostgresParameters(number + 1000))
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await rows(session) == 40)
        }
    }

    @Test func itsHandleEndsWithIt() async throws {
        try await withTable { session in
            let kept = try await session.transaction { $0 }
            let error = await #expect(throws: PostgresError.self) { try await kept.query(count) }
            #expect(error?.code == .protocolViolation)
            let rows = try await rows(session)
            #expect(rows == 0)
        }
    }

    @Test func aScriptIsAllOrNothing() async throws {
        try await withTable { session in
            let error = await #expect(throws: PostgresError.self) {
                try await session.execute("INSERT INTO t VALUES (1); INSERT INTO t VALUES (1)")
            }
            #expect(error?.sqlState == .uniqueViolation)
            let results = try await session.execute("SELECT 'x', 7; SELECT 2")
            #expect(results.count == 2)
            #expect(try results[0][0].decode(String.self, at: 1) == "7")
            #expect(try await session.execute("").count == 1)
            let rows = try await rows(session)
            #expect(rows == 0)
        }
    }
}
