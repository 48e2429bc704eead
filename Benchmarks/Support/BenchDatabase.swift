import Entitlements
import EventLog
import EventLoop
import Foundation
import Postgres
import Service
import Sync

/// A private PostgreSQL that waits for the disk (fsync and synchronous_commit are on), with the schema and the app.
struct BenchDatabase: Sendable {
    private let cluster: LocalCluster
    private let loop: EventLoop
    let session: PostgresSession

    /// As a server with some memory is set up; checkpoints far apart, as for any log that is written much.
    /// `track_commit_timestamp` says when a change was committed, to the microsecond.
    private static let settings = [
        "shared_buffers": "1GB", "max_wal_size": "8GB", "checkpoint_timeout": "30min", "track_commit_timestamp": "on",
    ]

    static func start(_ name: String, _ bench: Bench) async throws -> BenchDatabase {
        let cluster = LocalCluster(directory: bench.scratch.file(name), settings: settings)
        try cluster.start()
        do {
            let loop = try EventLoop()
            let postgres = try await PostgresSession.connect(to: cluster.connectionString(), on: loop)
            _ = try await postgres.execute("CREATE DATABASE entitled")
            await postgres.close()
            let session = try await PostgresSession.connect(
                to: cluster.connectionString(database: "entitled"), on: loop)
            _ = try await Migrator(session).migrate()
            let store = EventStore(session)
            let terms = LiveTerms(log: try await store.identity(), isDevelopment: false, readCatalog: CatalogDesk.read)
            let catalog = try Catalog(JSONDocument(parsing: Array(Purchases.catalog.utf8), file: "catalog"))
            _ = try await CatalogDesk(terms: terms, store: store, clock: SystemClock()).apply(
                catalog, environments: [Purchases.environment], actor: "entitled bench", reason: "")
            return BenchDatabase(cluster: cluster, loop: loop, session: session)
        } catch {
            try? cluster.stop()
            throw error
        }
    }

    var connectionString: String { cluster.connectionString(database: "entitled") }

    /// Makes accounts known, as their earlier requests did.
    func register(accounts: Int) async throws {
        let statement = PostgresStatement(
            name: "bench_register",
            sql: """
                SELECT count(*) FROM unnest($1::uuid[]) AS a(account),
                  LATERAL ev.register_account((SELECT app FROM ev.app LIMIT 1), a.account, now())
                """, parameterTypes: [.uuidArray])
        for start in stride(from: 0, to: accounts, by: 1000) {
            let part = (start..<min(start + 1000, accounts)).compactMap { UUID(uuidString: Purchases.account($0)) }
            _ = try await session.query(statement, PostgresParameters(part))
        }
    }

    /// Events in the log.
    func events() async throws -> Int64 {
        let statement = PostgresStatement(name: "bench_events", sql: "SELECT count(*) FROM ev.event")
        guard let row = try await session.query(statement).first else { return 0 }
        return try row.decode(Int64.self, at: 0)
    }

    /// Processor seconds that the server's processes have used so far.
    var cpu: Double {
        guard let postmaster = cluster.processID,
            let processes = try? FileManager.default.contentsOfDirectory(atPath: "/proc")
        else { return .nan }
        return processes.compactMap { Int32($0) }.map { ProcessUsage(of: $0) }.filter { $0.parent == postmaster }
            .reduce(0) { $0 + $1.cpu }
    }

    /// When each transaction was committed, in microseconds since 1970.
    func commitTimes() async throws -> [String: Int64] {
        let statement = PostgresStatement(
            name: "bench_commit_times",
            sql: """
                SELECT transaction_id, (extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1000000)::bigint
                  FROM ev.event
                """)
        var times: [String: Int64] = [:]
        for row in try await session.query(statement) {
            times[try row.decode(String.self, at: 0)] = try row.decode(Int64.self, at: 1)
        }
        return times
    }

    func stop() async {
        await session.close()
        await loop.shutdown()
        try? cluster.stop()
    }
}
