import Postgres
import TestSupport
import Testing

@Suite struct CopyTests {
    private struct GivenUp: Error {}

    private let count = PostgresStatement(name: "count", sql: "SELECT count(*), sum(n) FROM t")

    private func withTable(_ body: (PostgresSession) async throws -> Void) async throws {
        var options = PostgresSessionOptions()
        // Megabytes take their time on a busy machine.
        options.statementTimeout = .seconds(60)
        try await withPostgresSession(options: options) { session in
            try await session.execute("CREATE TABLE t (n int8 PRIMARY KEY, filler text)")
            try await body(session)
        }
    }

    /// Collects what a task hands over.
    private actor Collector {
        var bytes: [UInt8] = []
        var portions = 0

        func add(_ chunk: [UInt8]) {
            bytes += chunk
            portions += 1
        }
    }

    @Test func bothWaysInPortions() async throws {
        try await withTable { session in
            let filler = String(repeating: "x", count: 200)
            let rows = try await session.copyIn("COPY t FROM STDIN") { writer in
                for begin in stride(from: 0, to: 20_000, by: 1000) {
                    try await writer.write(Array((begin..<begin + 1000).map { "\($0)\t\(filler)\n" }.joined().utf8))
                }
            }
            #expect(rows == 20_000)
            let sums = try await session.query(count)
            #expect(try sums[0].decode(Int64.self, at: 0) == 20_000)

            let collector = Collector()
            let read = try await session.copyOut("COPY (SELECT * FROM t ORDER BY n) TO STDOUT") { chunk in
                await collector.add(chunk)
            }
            #expect(read == 20_000)
            let lines = await collector.bytes.split(separator: UInt8(ascii: "\n"))
            #expect(lines.count == 20_000)
            #expect(lines.last.map { String(decoding: $0, as: UTF8.self) } == "19999\t\(filler)")
            #expect(await collector.portions > 10)
        }
    }

    @Test func nothingAndOneLargePortion() async throws {
        try await withTable { session in
            #expect(try await session.copyIn("COPY t FROM STDIN") { _ in } == 0)
            let text = "1\t" + String(repeating: "y", count: 5_000_000) + "\n"
            #expect(try await session.copyIn("COPY t FROM STDIN") { try await $0.write(Array(text.utf8)) } == 1)
            let collector = Collector()
            try await session.copyOut("COPY t TO STDOUT") { await collector.add($0) }
            #expect(await collector.bytes == Array(text.utf8))
        }
    }

    @Test func aBodyThatThrowsStoresNothing() async throws {
        try await withTable { session in
            await #expect(throws: GivenUp.self) {
                try await session.copyIn("COPY t FROM STDIN") { writer in
                    try await writer.write(Array("1\tx\n".utf8))
                    throw GivenUp()
                }
            }
            let rows = try await session.query(count)[0].decode(Int64.self, at: 0)
            #expect(rows == 0)
        }
    }

    @Test func aRowThatIsRefusedIsTheError() async throws {
        try await withTable { session in
            let error = await #expect(throws: PostgresError.self) {
                try await session.copyIn("COPY t FROM STDIN") { writer in
                    for _ in 0..<50 { try await writer.write(Array("1\tx\n".utf8)) }
                }
            }
            #expect(error?.sqlState == .uniqueViolation)
            let rows = try await session.query(count)[0].decode(Int64.self, at: 0)
            #expect(rows == 0)
        }
    }

    @Test func aStatementThatIsNoCopyIsRefused() async throws {
        try await withTable { session in
            for statement in ["SELECT 1", "CREATE TABLE u ()"] {
                let error = await #expect(throws: PostgresError.self) { try await session.copyIn(statement) { _ in } }
                #expect(error?.code == .invalidParameters)
            }
            let error = await #expect(throws: PostgresError.self) {
                try await session.copyOut("COPY gone TO STDOUT") { _ in }
            }
            #expect(error?.sqlState == .undefinedTable)
            #expect(await session.isOpen)
        }
    }

    @Test func aTakerThatThrowsClosesTheConnection() async throws {
        try await withTable { session in
            await #expect(throws: GivenUp.self) {
                try await session.copyOut("COPY (SELECT generate_series(1, 1000000)) TO STDOUT") { _ in throw GivenUp()
                }
            }
            #expect(await !session.isOpen)
        }
    }

    /// libpq cannot do it, and the session would wait for ever.
    @Test func aCopyInThePipelineClosesTheConnection() async throws {
        try await withTable { session in
            let copy = PostgresStatement(name: "copy", sql: "COPY t FROM STDIN")
            let error = await #expect(throws: PostgresError.self) { try await session.query(copy) }
            #expect(error?.code == .connectionLost)
        }
    }

    @Test func queriesOfOthersWaitMeanwhile() async throws {
        try await withTable { session in
            async let copied = session.copyIn("COPY t FROM STDIN") { writer in
                for number in 0..<100 { try await writer.write(Array("\(number)\t\n".utf8)) }
            }
            for _ in 0..<20 {
                let seen = try await session.query(count)[0].decode(Int64.self, at: 0)
                #expect(seen == 0 || seen == 100)
            }
            #expect(try await copied == 100)
        }
    }
}
