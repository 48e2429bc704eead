public import Entitlements
import FoundationEssentials
import Postgres

extension EventStore {
    /// Records that something is about to be done.
    public func recordAct(_ entry: AuditEntry) async throws {
        _ = try await run(
            Self.insertAct, entry.app, PostgresTimestamp(entry.at), entry.id, try entry.environment?.number ?? -1,
            (entry.account ?? .nobody).uuid, entry.actor, entry.scope, entry.act, entry.subject, entry.reason)
    }

    /// Records how it ended.
    public func finishAct(_ entry: AuditEntry, outcome: String) async throws {
        _ = try await run(Self.updateAct, entry.app, PostgresTimestamp(entry.at), entry.id, outcome)
    }

    /// Acts of an app, or upon one account, the newest first.
    public func acts(
        app: Int16, account: AccountID? = nil, before position: AuditPosition = .newest, limit: Int32
    ) async throws -> [AuditEntry] {
        let at = PostgresTimestamp(position.at)
        let rows =
            if let account { try await run(Self.readActsUpon, app, at, position.id, limit, account.uuid) } else {
                try await run(Self.readActs, app, at, position.id, limit)
            }
        return try rows.map { row in
            let environment: Int16 = try row.decode(at: 2)
            let account = AccountID(try row.decode(UUID.self, at: 3))
            var entry = AuditEntry(
                app: app, at: try row.decode(PostgresTimestamp.self, at: 0).milliseconds, id: try row.decode(at: 1),
                environment: environment < 0 ? nil : try Environment(number: environment),
                account: account == .nobody ? nil : account, actor: try row.decode(at: 4),
                scope: try row.decode(at: 5), act: try row.decode(at: 6), subject: try row.decode(at: 7),
                reason: try row.decode(at: 8))
            entry.outcome = try row.decode(at: 9)
            return entry
        }
    }

    private static let insertAct = PostgresStatement(
        name: "record_act",
        sql: """
            INSERT INTO ev.audit (app, recorded_at, id, environment, account, actor, scope, act, subject, reason, outcome)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, '')
            """,
        parameterTypes: [.int2, .timestamptz, .uuid, .int2, .uuid, .text, .text, .text, .text, .text])
    private static let updateAct = PostgresStatement(
        name: "finish_act",
        sql: "UPDATE ev.audit a SET outcome = $4 WHERE a.app = $1 AND a.recorded_at = $2 AND a.id = $3",
        parameterTypes: [.int2, .timestamptz, .uuid, .text])
    private static let actColumns =
        "a.recorded_at, a.id, a.environment, a.account, a.actor, a.scope, a.act, a.subject, a.reason, a.outcome"
    private static let readActs = PostgresStatement(
        name: "read_acts",
        sql: """
            SELECT \(actColumns) FROM ev.audit a WHERE a.app = $1 AND (a.recorded_at, a.id) < ($2, $3)
             ORDER BY a.recorded_at DESC, a.id DESC LIMIT $4
            """,
        parameterTypes: [.int2, .timestamptz, .uuid, .int4])
    private static let readActsUpon = PostgresStatement(
        name: "read_acts_upon",
        sql: """
            SELECT \(actColumns) FROM ev.audit a
             WHERE a.app = $1 AND a.account = $5 AND (a.recorded_at, a.id) < ($2, $3)
               AND a.account <> '00000000-0000-0000-0000-000000000000'
             ORDER BY a.recorded_at DESC, a.id DESC LIMIT $4
            """,
        parameterTypes: [.int2, .timestamptz, .uuid, .int4, .uuid])
    /// Who did what and when stays; of an erasure also why. Part of an erasure (rules.md R7).
    static let forgetActs = PostgresStatement(
        name: "erase_acts",
        sql: """
            UPDATE ev.audit a
               SET account = '00000000-0000-0000-0000-000000000000', subject = '',
                   reason = CASE WHEN a.act = 'erase' THEN a.reason ELSE '' END
             WHERE a.app = $1 AND a.account = $2 AND a.account <> '00000000-0000-0000-0000-000000000000'
            """,
        parameterTypes: [.int2, .uuid])
}
