public import Postgres

/// Brings a database to this release: each migration once, in order, in a transaction of its own.
///
/// Several instances may start at once: one applies, the others wait and find it done.
public struct Migrator: Sendable {
    let session: PostgresSession
    let migrations: [Migration]

    /// A migrator with the migrations of this release.
    public init(_ session: PostgresSession) {
        self.init(session, migrations: Migration.embedded)
    }

    init(_ session: PostgresSession, migrations: [Migration]) {
        self.session = session
        self.migrations = migrations
    }

    /// Every migration that this release or the database knows, ascending. Changes nothing.
    public func status() async throws -> [MigrationStatus] {
        let applied = try await session.transaction { try await self.applied($0) }
        return status(applied: applied)
    }

    /// Applies what is pending and answers it; with `dryRun` only answers it.
    ///
    /// Throws `EventLogError.migrationChanged` before anything is applied if an applied migration has another text here.
    @discardableResult
    public func migrate(dryRun: Bool = false) async throws -> [MigrationStatus] {
        let status = try await status()
        try Self.refuseChanged(status)
        let pending = status.filter { $0.state == .pending }
        if dryRun { return pending }
        var done: [MigrationStatus] = []
        for migration in migrations where pending.contains(where: { $0.number == migration.number }) {
            let isNew = try await session.transaction { try await self.apply(migration, in: $0) }
            if isNew { done.append(MigrationStatus(number: migration.number, name: migration.name, state: .applied)) }
        }
        return done
    }

    private func status(applied: [Int32: Applied]) -> [MigrationStatus] {
        let known = migrations.map { migration in
            let state: MigrationStatus.State =
                switch applied[migration.number]?.checksum {
                case nil: .pending
                case migration.checksum: .applied
                default: .changed
                }
            return MigrationStatus(number: migration.number, name: migration.name, state: state)
        }
        let newer = applied.filter { number, _ in !migrations.contains { $0.number == number } }
            .map { MigrationStatus(number: $0.key, name: $0.value.name, state: .newer) }
        return (known + newer).sorted { $0.number < $1.number }
    }

    private static func refuseChanged(_ status: [MigrationStatus]) throws(EventLogError) {
        guard let changed = status.first(where: { $0.state == .changed }) else { return }
        throw EventLogError(
            .migrationChanged,
            "migration \(changed.number) \(changed.name) was applied with another text: restore the released file")
    }

    private struct Applied: Sendable {
        let name: String
        let checksum: String
    }

    private func applied(_ transaction: PostgresTransaction) async throws -> [Int32: Applied] {
        let table = try await transaction.query(Self.findTable)
        guard try table.first?.decode(Bool.self, at: 0) == true else { return [:] }
        var applied: [Int32: Applied] = [:]
        for row in try await transaction.query(Self.readTable) {
            applied[try row.decode(at: 0)] = Applied(name: try row.decode(at: 1), checksum: try row.decode(at: 2))
        }
        return applied
    }

    /// False if another instance has applied it meanwhile.
    private func apply(_ migration: Migration, in transaction: PostgresTransaction) async throws -> Bool {
        // A migration may take its time, and so may whoever holds the lock.
        try await transaction.execute("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")
        _ = try await transaction.query(Self.lock)
        try await transaction.execute(Self.createTable)
        let status = status(applied: try await applied(transaction))
        try Self.refuseChanged(status)
        guard status.contains(where: { $0.number == migration.number && $0.state == .pending }) else { return false }
        try await transaction.execute(migration.sql)
        _ = try await transaction.query(
            Self.record, PostgresParameters(migration.number, migration.name, migration.checksum))
        return true
    }

    private static let findTable = PostgresStatement(
        name: "migration_table", sql: "SELECT to_regclass('ev.migration') IS NOT NULL")
    private static let readTable = PostgresStatement(
        name: "migrations", sql: "SELECT number, name, checksum FROM ev.migration ORDER BY number")
    /// Any number that nothing else in the database locks.
    private static let lock = PostgresStatement(
        name: "migration_lock", sql: "SELECT pg_advisory_xact_lock(7302105391246307)")
    private static let createTable = """
        CREATE SCHEMA IF NOT EXISTS ev;
        CREATE TABLE IF NOT EXISTS ev.migration (
          number     int         PRIMARY KEY,
          name       text        NOT NULL,
          checksum   text        NOT NULL,
          applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
        );
        """
    private static let record = PostgresStatement(
        name: "migration_record", sql: "INSERT INTO ev.migration (number, name, checksum) VALUES ($1, $2, $3)",
        parameterTypes: [.int4, .text, .text])
}
