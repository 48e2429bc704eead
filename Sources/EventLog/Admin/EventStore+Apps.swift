public import Entitlements
import Postgres

/// An app as the log knows it.
public struct StoredApp: Sendable, Hashable {
    /// Its number, part of every stream's key.
    public var app: Int16
    /// Apple's bundle id.
    public var bundleId: String
    /// Apple's number, where it is known.
    public var appAppleId: Int64?
    /// The environments that are served.
    public var environments: [Environment]
    /// When it was first added.
    public var createdAt: Milliseconds
}

extension EventStore {
    /// The apps that are served, by number.
    public func apps() async throws -> [StoredApp] {
        try await run(Self.readApps).map { row in
            StoredApp(
                app: try row.decode(at: 0), bundleId: try row.decode(at: 1), appAppleId: try row.decode(at: 2),
                environments: try row.decode([Int16].self, at: 3).map { try Environment(number: $0) },
                createdAt: try row.decode(PostgresTimestamp.self, at: 4).milliseconds)
        }
    }

    /// Adds an app or changes what is said of it, and answers its number. A removed one comes back under its old number.
    @discardableResult
    public func addApp(
        bundleId: String, appAppleId: Int64?, environments: [Environment], at now: Milliseconds
    ) async throws -> Int16 {
        let numbers = try environments.map { try $0.number }
        let rows = try await run(Self.putApp, bundleId, appAppleId, numbers, PostgresTimestamp(now))
        guard let row = rows.first else {
            throw EventLogError(.notMigrated, "put_app answered nothing: run entitled migrate")
        }
        return try row.decode(at: 0)
    }

    /// Stops serving an app; its streams stay. False if it is not served.
    @discardableResult
    public func removeApp(bundleId: String, at now: Milliseconds) async throws -> Bool {
        try await run(Self.dropApp, bundleId, PostgresTimestamp(now)).affectedRows > 0
    }

    private static let readApps = PostgresStatement(
        name: "read_apps",
        sql: """
            SELECT a.app, a.bundle_id, a.app_apple_id, a.environments, a.created_at FROM ev.app a
             WHERE a.removed_at IS NULL ORDER BY a.app
            """)
    private static let putApp = PostgresStatement(
        name: "put_app", sql: "SELECT ev.put_app($1, $2, $3, $4)",
        parameterTypes: [.text, .int8, .int2Array, .timestamptz])
    private static let dropApp = PostgresStatement(
        name: "remove_app", sql: "UPDATE ev.app SET removed_at = $2 WHERE bundle_id = $1 AND removed_at IS NULL",
        parameterTypes: [.text, .timestamptz])
}
