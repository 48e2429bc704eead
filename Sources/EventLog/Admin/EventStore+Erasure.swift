import Entitlements
import FoundationEssentials
import Postgres

extension EventStore {
    /// Removes what is personal of a stream that ended in an erasure: payloads, signatures and the account, up to that
    /// event. Order, times and dedupe keys stay, so lanes and versions stay dense. May be repeated.
    /// `erasedKind` is the number of the event that says so.
    public func removePersonalData(of stream: StreamID, erasedKind: Int16) async throws {
        _ = try await connection.query([
            Self.command(Self.emptyEvents, stream.lane, stream.uuid, erasedKind),
            Self.command(Self.forgetResigned, stream.lane, stream.uuid),
            Self.command(Self.forgetHead, stream.lane, stream.uuid),
        ])
    }

    /// Makes an account unknown again (rules.md R7): its personal link is gone, that of what operators did to it, too.
    public func forgetAccount(_ key: AccountKey) async throws {
        _ = try await connection.query([
            Self.command(Self.deleteAccount, key.app, key.account.uuid),
            Self.command(Self.forgetActs, key.app, key.account.uuid),
        ])
    }

    private static let emptyEvents = PostgresStatement(
        name: "erase_events",
        sql: """
            UPDATE ev.event e
               SET payload = '', signature = '', meta = '', transaction_id = '',
                   account = '00000000-0000-0000-0000-000000000000'
             WHERE e.lane = $1 AND e.stream_id = $2
               AND e.seq <= (SELECT max(x.seq) FROM ev.event x WHERE x.lane = $1 AND x.stream_id = $2 AND x.kind = $3)
            """,
        parameterTypes: [.int2, .uuid, .int2])
    private static let forgetResigned = PostgresStatement(
        name: "erase_resigned", sql: "DELETE FROM ev.resigned r WHERE r.lane = $1 AND r.stream_id = $2",
        parameterTypes: [.int2, .uuid])
    private static let forgetHead = PostgresStatement(
        name: "erase_head",
        sql: """
            UPDATE ev.account_head h SET account = '00000000-0000-0000-0000-000000000000'
             WHERE h.lane = $1 AND h.stream_id = $2
            """,
        parameterTypes: [.int2, .uuid])
    private static let deleteAccount = PostgresStatement(
        name: "forget_account", sql: "DELETE FROM ev.account a WHERE a.app = $1 AND a.account = $2",
        parameterTypes: [.int2, .uuid])
}
