public import Entitlements
import Postgres

/// A revision of an app's catalog and policies; never changed once stored.
public struct StoredCatalog: Sendable, Hashable {
    /// From 1.
    public var revision: Int32
    /// When it was stored, and from when it counts.
    public var recordedAt: Milliseconds
    /// Who stored it.
    public var actor: String
    /// Why.
    public var reason: String
    /// The document as it was given.
    public var document: String
}

extension EventStore {
    /// The revisions of an app after a number, ascending.
    public func catalogRevisions(app: Int16, after revision: Int32 = 0) async throws -> [StoredCatalog] {
        try await run(Self.readCatalogs, app, revision).map { row in
            StoredCatalog(
                revision: try row.decode(at: 0), recordedAt: try row.decode(PostgresTimestamp.self, at: 1).milliseconds,
                actor: try row.decode(at: 2), reason: try row.decode(at: 3), document: try row.decode(at: 4))
        }
    }

    /// Adds the revision after the one that was read and answers its number; nil if another one was added meanwhile or the
    /// app is not served.
    public func appendCatalogRevision(
        app: Int16, previous: Int32, actor: String, reason: String, document: String, at now: Milliseconds
    ) async throws -> Int32? {
        let rows = try await run(
            Self.appendCatalog, app, previous, PostgresTimestamp(now), actor, reason, document)
        return try rows.first?.decode(Int32?.self, at: 0)
    }

    private static let readCatalogs = PostgresStatement(
        name: "read_catalogs",
        sql: """
            SELECT c.revision, c.recorded_at, c.actor, c.reason, c.document FROM ev.catalog_revision c
             WHERE c.app = $1 AND c.revision > $2 ORDER BY c.revision
            """,
        parameterTypes: [.int2, .int4])
    private static let appendCatalog = PostgresStatement(
        name: "append_catalog", sql: "SELECT ev.append_catalog($1, $2, $3, $4, $5, $6)",
        parameterTypes: [.int2, .int4, .timestamptz, .text, .text, .text])
}
