import Glibc
import Postgres
import TestSupport
import Testing

@Suite struct ConnectTests {
    private let one = PostgresStatement(name: "one", sql: "SELECT 1")

    private func connect(
        _ string: String, options: PostgresSessionOptions = PostgresSessionOptions()
    ) async throws(PostgresError) -> PostgresSession {
        try await PostgresSession.connect(to: string, options: options, on: testReactor)
    }

    /// A port of the loopback that takes connections and never answers, or one where nobody listens.
    private func withPort(listening: Bool, _ body: (UInt16) async throws -> Void) async throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                #expect(bind(descriptor, address, length) == 0)
                #expect(getsockname(descriptor, address, &length) == 0)
            }
        }
        if listening { #expect(listen(descriptor, 5) == 0) }
        try await body(UInt16(bigEndian: address.sin_port))
    }

    @Test func aDeadFirstHostIsPassedOver() async throws {
        let cluster = try TestCluster.shared
        try await withPort(listening: false) { port in
            let session = try await connect(
                "host=127.0.0.1,\(cluster.socketDirectory) port=\(port),5432 user=entitled dbname=postgres "
                    + "target_session_attrs=read-write")
            let count = try await session.query(one).count
            #expect(count == 1)
            await session.close()
        }
    }

    @Test func nobodyListening() async throws {
        try await withPort(listening: false) { port in
            let error = await #expect(throws: PostgresError.self) {
                try await connect("postgresql://somebody:secret@127.0.0.1:\(port)/db")
            }
            #expect(error?.code == .connectionFailed)
            #expect(error?.message.contains("secret") == false)
        }
    }

    @Test func aServerThatDoesNotAnswer() async throws {
        var options = PostgresSessionOptions()
        options.connectTimeout = .milliseconds(100)
        try await withPort(listening: true) { port in
            let error = await #expect(throws: PostgresError.self) {
                try await connect("host=127.0.0.1 port=\(port) user=a dbname=b", options: options)
            }
            #expect(error?.code == .timeout)
        }
    }

    @Test(arguments: ["nonsense", "password=secret bad", "postgresql://u:secret@[::1", "host=a secret=secret"])
    func aStringThatCannotBeReadKeepsItsSecret(string: String) async throws {
        let error = await #expect(throws: PostgresError.self) { try await connect(string) }
        #expect(error?.code == .connectionFailed)
        #expect(error.map { "\($0)".contains("secret") } == false)
    }

    @Test func aDatabaseThatDoesNotExist() async throws {
        let string = try TestCluster.shared.connectionString(database: "it's \\ gone")
        let error = await #expect(throws: PostgresError.self) { try await connect(string) }
        #expect(error?.code == .connectionFailed)
        #expect(error?.message.contains("it's \\ gone") == true)
    }

    @Test func settingsReachTheServer() async throws {
        var options = PostgresSessionOptions()
        options.applicationName = "a test"
        options.lockTimeout = .milliseconds(1234)
        let string = try TestCluster.shared.connectionString() + " options='-c work_mem=9MB'"
        let session = try await connect(string, options: options)
        let names = [
            "application_name", "lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout", "work_mem",
        ]
        let show = PostgresStatement(
            name: "show", sql: "SELECT array_agg(current_setting(n)) FROM unnest($1) n", parameterTypes: [.textArray])
        let values = try await session.query(show, PostgresParameters(names))[0].decode([String].self, at: 0)
        #expect(values == ["a test", "1234ms", "5s", "5s", "9MB"])
        await session.close()
    }

    @Test func timeoutsOfTheServer() async throws {
        var options = PostgresSessionOptions()
        options.statementTimeout = .milliseconds(300)
        options.lockTimeout = .milliseconds(50)
        try await withTestDatabase { database in
            try await withPostgresSession(database, options: options) { session in
                try await session.execute("CREATE TABLE t ()")
                let sleep = PostgresStatement(name: "sleep", sql: "SELECT pg_sleep(10)")
                let timedOut = await #expect(throws: PostgresError.self) { try await session.query(sleep) }
                #expect(timedOut?.sqlState == .queryCanceled)
                try await withPostgresSession(database) { holder in
                    try await holder.transaction { transaction in
                        try await transaction.execute("LOCK TABLE t")
                        let read = PostgresStatement(name: "read", sql: "SELECT * FROM t")
                        let locked = await #expect(throws: PostgresError.self) { try await session.query(read) }
                        #expect(locked?.sqlState == .lockNotAvailable)
                        #expect(locked?.isRetryable == true)
                    }
                }
                #expect(try await session.query(one).count == 1)
            }
        }
    }

    @Test func messagesDoNotRepeatValues() async throws {
        try await withPostgresSession(TestDatabase.admin) { session in
            let cast = PostgresStatement(name: "cast", sql: "SELECT $1::int8", parameterTypes: [.text])
            let error = await #expect(throws: PostgresError.self) {
                try await session.query(cast, PostgresParameters("secret"))
            }
            #expect(error?.sqlState == .invalidTextRepresentation)
            #expect(error.map { "\($0)".contains("secret") } == false)
        }
    }
}
