public import Entitlements
import FoundationEssentials
import Postgres

/// The answer to making an account known.
public struct Registration: Sendable, Hashable {
    /// Whether it was unknown before.
    public var isNew: Bool
    /// Since when it is known.
    public var knownAt: Milliseconds
    /// Lineages whose tokens name it: bind them now (rules.md R7.2). Also answered for an account that was known, since the
    /// service may have stopped in between.
    public var hinted: [LineageRef]
}

extension EventStore {
    /// Makes an account known. From then on no append can call it unknown: either its hints are answered here, or the
    /// append conflicts and is decided again.
    public func registerAccount(_ key: AccountKey, at now: Milliseconds) async throws -> Registration {
        let rows = try await run(Self.register, key.app, key.account.uuid, PostgresTimestamp(now))
        guard let row = rows.first else {
            throw EventLogError(.notMigrated, "register_account answered nothing: run entitled migrate")
        }
        let environments = try row.decode([Int16].self, at: 2)
        let originals = try row.decode([String].self, at: 3)
        return Registration(
            isNew: try row.decode(at: 0), knownAt: try row.decode(PostgresTimestamp.self, at: 1).milliseconds,
            hinted: try zip(environments, originals).map { LineageRef(try Environment(number: $0), $1) })
    }

    private static let register = PostgresStatement(
        name: "register_account",
        sql: "SELECT o_new, o_known_at, o_environments, o_originals FROM ev.register_account($1, $2, $3)",
        parameterTypes: [.int2, .uuid, .timestamptz])
}
