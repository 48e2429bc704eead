public import Entitlements
import FoundationEssentials
import Postgres

extension EventStore {
    /// A directory row, or nil.
    public func lineage(_ key: LineageKey) async throws -> LineageRecord? {
        let answers = try await connection.query([try Self.lineagesCommand([key])])
        return try answers.first?.first.map(Self.record)
    }

    /// Lineages that belong to nobody and are not locked (rules.md R7.5), by id; after an id to read on.
    public func unclaimed(
        app: Int16, environment: Environment, after id: String = "", limit: Int32
    ) async throws -> [(id: String, record: LineageRecord)] {
        let rows = try await run(Self.readUnclaimed, app, try environment.number, id, limit)
        return try rows.map { (try $0.decode(at: 0), try Self.record($0)) }
    }

    /// Streams that may have events about a transaction or a lineage with this id: for an operator who has nothing else.
    public func streams(
        app: Int16, environment: Environment, transactionOrLineage id: String
    ) async throws -> [StreamKey] {
        let number = try environment.number
        let answers = try await connection.query([
            Self.command(Self.findByTransaction, app, number, id),
            try Self.lineagesCommand([LineageKey(app: app, LineageRef(environment, id))]),
        ])
        var accounts: Set<AccountID> = []
        for row in answers[0] { accounts.insert(AccountID(try row.decode(at: 0))) }
        if let row = answers.last?.first {
            accounts.formUnion(try Self.record(row).parties)
            accounts.insert(.stream(of: LineageRef(environment, id)))
        }
        let keys = accounts.sorted().map { StreamKey(app: app, environment: environment, account: $0) }
        let versions = try await versions(of: keys.map(\.id))
        return keys.filter { versions[$0.id] != nil }
    }

    static let readUnclaimed = PostgresStatement(
        name: "read_unclaimed",
        sql: """
            SELECT k.original_transaction_id, k.version, k.parties, k.hints, k.locked FROM ev.lineage k
             WHERE k.app = $1 AND k.environment = $2 AND k.original_transaction_id > $3
               AND k.parties = '{}' AND NOT k.locked
             ORDER BY k.original_transaction_id LIMIT $4
            """,
        parameterTypes: [.int2, .int2, .text, .int4])
    static let findByTransaction = PostgresStatement(
        name: "find_by_transaction",
        sql: """
            SELECT DISTINCT e.account FROM ev.event e
             WHERE e.transaction_id = $3 AND e.transaction_id <> '' AND e.transaction_id <> e.original_transaction_id
               AND e.app = $1 AND e.environment = $2
            """,
        parameterTypes: [.int2, .int2, .text])
}
