import Postgres
import TestSupport
import Testing

/// Several queries under way on one session.
@Suite struct PipelineTests {
    private let echo = PostgresStatement(name: "echo", sql: "SELECT $1", parameterTypes: [.int8])
    private let divide = PostgresStatement(name: "divide", sql: "SELECT 100 / $1", parameterTypes: [.int8])

    @Test func aThousandQueriesEachGetTheirOwnAnswer() async throws {
        var options = PostgresSessionOptions()
        options.maximumInFlight = 100
        try await withPostgresSession(TestDatabase.admin, options: options) { session in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<1000 as Range<Int64> {
                    group.addTask {
                        try await session.query(echo, PostgresParameters(number))[0].decode(Int64.self, at: 0) == number
                    }
                }
                for try await isRight in group { #expect(isRight) }
            }
        }
    }

    @Test func anErrorFailsOnlyItsOwnQuery() async throws {
        try await withPostgresSession(TestDatabase.admin) { session in
            await withTaskGroup(of: (Int64, Result<Int64, PostgresError>).self) { group in
                for number in 0..<50 as Range<Int64> {
                    group.addTask {
                        do throws(PostgresError) {
                            let divisor = number % 5
                            let result = try await session.query(divide, PostgresParameters(divisor))
                            return (divisor, .success(try result[0].decode(at: 0)))
                        } catch {
                            return (number % 5, .failure(error))
                        }
                    }
                }
                for await (divisor, result) in group {
                    switch result {
                    case .success(let quotient): #expect(divisor != 0 && quotient == 100 / divisor)
                    case .failure(let error): #expect(divisor == 0 && error.sqlState == .divisionByZero)
                    }
                }
            }
        }
    }

    @Test func aUnitIsAllOrNothing() async throws {
        try await withPostgresSession { session in
            try await session.execute("CREATE TABLE t (n int8 PRIMARY KEY)")
            let insert = PostgresStatement(name: "insert", sql: "INSERT INTO t VALUES ($1)", parameterTypes: [.int8])
            func commands(_ numbers: Int64...) -> [PostgresCommand] {
                numbers.map { PostgresCommand(insert, PostgresParameters($0)) }
            }
            #expect(try await session.query(commands(1, 2)).map(\.affectedRows) == [1, 1])
            let error = await #expect(throws: PostgresError.self) { try await session.query(commands(3, 2, 4)) }
            #expect(error?.sqlState == .uniqueViolation)
            #expect(error?.message.contains("t_pkey") == true)
            let count = try await session.query(PostgresStatement(name: "count", sql: "SELECT count(*) FROM t"))
            #expect(try count[0].decode(Int64.self, at: 0) == 2)
            #expect(try await session.query([]).isEmpty)
        }
    }

    @Test func aFailingCommitFailsTheUnit() async throws {
        try await withPostgresSession { session in
            try await session.execute("CREATE TABLE t (n int8 UNIQUE DEFERRABLE INITIALLY DEFERRED)")
            let insert = PostgresStatement(name: "insert", sql: "INSERT INTO t VALUES ($1)", parameterTypes: [.int8])
            _ = try await session.query(insert, PostgresParameters(1 as Int64))
            async let before = session.query(echo, PostgresParameters(1 as Int64))
            let error = await #expect(throws: PostgresError.self) {
                try await session.query(insert, PostgresParameters(1 as Int64))
            }
            #expect(error?.sqlState == .uniqueViolation)
            #expect(try await before.count == 1)
            #expect(try await session.query(echo, PostgresParameters(2 as Int64)).count == 1)
        }
    }

    @Test func aStatementWhosePreparationFailedIsPreparedAgain() async throws {
        try await withPostgresSession { session in
            let count = PostgresStatement(name: "count", sql: "SELECT count(*) FROM later")
            let error = await #expect(throws: PostgresError.self) { try await session.query(count) }
            #expect(error?.sqlState == .undefinedTable)
            try await session.execute("CREATE TABLE later ()")
            #expect(try await session.query(count)[0].decode(Int64.self, at: 0) == 0)
        }
    }

    @Test func twoStatementsOfOneNameAreRefused() async throws {
        try await withPostgresSession(TestDatabase.admin) { session in
            _ = try await session.query(PostgresStatement(name: "s", sql: "SELECT 1"))
            let error = await #expect(throws: PostgresError.self) {
                try await session.query(PostgresStatement(name: "s", sql: "SELECT 2"))
            }
            #expect(error?.code == .invalidParameters)
        }
    }

    @Test func tooManyWaitingAreRefused() async throws {
        var options = PostgresSessionOptions()
        options.maximumInFlight = 1
        options.maximumWaiting = 1
        try await withPostgresSession(TestDatabase.admin, options: options) { session in
            let sleep = PostgresStatement(name: "sleep", sql: "SELECT pg_sleep(0.2)")
            let codes = await withTaskGroup(of: PostgresError.Code?.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        do throws(PostgresError) { _ = try await session.query(sleep) } catch { return error.code }
                        return nil
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.count { $0 == .overloaded } == 1)
            #expect(codes.count { $0 == nil } == 2)
        }
    }

    @Test func cancelledTasksLeaveTheSessionInOrder() async throws {
        try await withPostgresSession(TestDatabase.admin) { session in
            for round in 0..<20 as Range<Int64> {
                let tasks = (0..<20).map { _ in Task { try await session.query(echo, PostgresParameters(round)) } }
                for task in tasks { task.cancel() }
                for task in tasks {
                    do {
                        let answer = try await task.value[0].decode(Int64.self, at: 0)
                        #expect(answer == round)
                    } catch let error as PostgresError {
                        #expect(error.code == .cancelled)
                    }
                }
                let answer = try await session.query(echo, PostgresParameters(-round))[0].decode(Int64.self, at: 0)
                #expect(answer == -round)
            }
        }
    }
}
