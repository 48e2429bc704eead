import Entitlements
import FoundationEssentials
import Postgres

extension EventStore {
    /// Reads heads with states of a generation, directory rows and who is known, in one round trip.
    public func load(
        streams: [StreamID], lineages: [LineageKey] = [], accounts: [AccountKey] = [], generation: Int32
    ) async throws -> Loaded {
        var commands: [PostgresCommand] = []
        if !streams.isEmpty {
            commands.append(
                Self.command(Self.loadStreams, streams.map(\.lane), streams.map(\.uuid), generation))
        }
        if !lineages.isEmpty { commands.append(try Self.lineagesCommand(lineages)) }
        if !accounts.isEmpty {
            commands.append(Self.command(Self.loadAccounts, accounts.map(\.app), accounts.map(\.account.uuid)))
        }
        if commands.isEmpty { return Loaded() }
        var answers = try await connection.query(commands)[...]

        var loaded = Loaded()
        if !streams.isEmpty, let answer = answers.popFirst() {
            for row in answer { loaded.streams[StreamID(try row.decode(at: 0))] = try Self.storedStream(row) }
        }
        if !lineages.isEmpty, let answer = answers.popFirst() {
            for row in answer {
                // The ordinal comes from the parameters above.
                let key = lineages[Int(try row.decode(Int64.self, at: 0)) - 1]
                loaded.lineages[key] = try Self.record(row)
            }
        }
        if !accounts.isEmpty, let answer = answers.popFirst() {
            for row in answer {
                let key = AccountKey(app: try row.decode(at: 0), AccountID(try row.decode(at: 1)))
                loaded.known[key] = try row.decode(PostgresTimestamp.self, at: 2).milliseconds
            }
        }
        return loaded
    }

    /// How far streams and directory rows are, without what they say: for comparing what was read before. Those that do not
    /// exist are left out.
    public func standing(
        streams: [StreamID], lineages: [LineageKey]
    ) async throws -> (streams: [StreamID: StreamVersion], lineages: [LineageKey: Int64]) {
        let answers = try await connection.query([
            Self.command(Self.loadPositions, streams.map(\.lane), streams.map(\.uuid)),
            try Self.lineagesCommand(lineages),
        ])
        var standing: (streams: [StreamID: StreamVersion], lineages: [LineageKey: Int64]) = ([:], [:])
        for row in answers[0] {
            standing.streams[StreamID(try row.decode(at: 0))] = StreamVersion(
                try row.decode(at: 1), resigned: try row.decode(at: 2))
        }
        for row in answers[1] {
            // The ordinal comes from the parameters above.
            standing.lineages[lineages[Int(try row.decode(Int64.self, at: 0)) - 1]] = try row.decode(at: 1)
        }
        return standing
    }

    private static func storedStream(_ row: PostgresRow) throws -> StoredStream {
        let version = StreamVersion(try row.decode(at: 1), resigned: try row.decode(at: 2))
        guard let state = try row.decode([UInt8]?.self, at: 3) else { return StoredStream(version: version) }
        return StoredStream(
            version: version,
            snapshot: FoldedState(
                state: state, hash: try row.decode(at: 4),
                nextChangeAt: try row.decode(PostgresTimestamp?.self, at: 5)?.milliseconds))
    }

    static func lineagesCommand(_ lineages: [LineageKey]) throws(EventLogError) -> PostgresCommand {
        var environments: [Int16] = []
        for key in lineages { environments.append(try key.lineage.environment.number) }
        return command(loadLineages, lineages.map(\.app), environments, lineages.map(\.lineage.id))
    }

    /// A directory row; the first column is the caller's.
    static func record(_ row: PostgresRow) throws -> LineageRecord {
        var record = LineageRecord()
        record.version = try row.decode(at: 1)
        record.parties = try row.decode([UUID].self, at: 2).map(AccountID.init)
        record.hints = try row.decode([UUID].self, at: 3).map(AccountID.init)
        record.isLocked = try row.decode(at: 4)
        return record
    }

    // LATERAL with LIMIT pins one index search for each element: no estimate can turn it into a scan of the table.
    static let loadStreams = PostgresStatement(
        name: "load_streams",
        sql: """
            SELECT h.stream_id, h.version, h.resigned, s.state, s.state_hash, s.next_change_at
              FROM unnest($1, $2) AS x(lane, stream)
             CROSS JOIN LATERAL (SELECT h.* FROM ev.account_head h
                                  WHERE h.lane = x.lane AND h.stream_id = x.stream LIMIT 1) h
              LEFT JOIN LATERAL (SELECT s.* FROM ev.snapshot s
                                  WHERE s.lane = x.lane AND s.stream_id = x.stream AND s.generation = $3
                                    AND s.version = h.version LIMIT 1) s ON true
            """,
        parameterTypes: [.int2Array, .uuidArray, .int4])
    static let loadPositions = PostgresStatement(
        name: "load_positions",
        sql: """
            SELECT h.stream_id, h.version, h.resigned
              FROM unnest($1, $2) AS x(lane, stream)
             CROSS JOIN LATERAL (SELECT h.* FROM ev.account_head h
                                  WHERE h.lane = x.lane AND h.stream_id = x.stream LIMIT 1) h
            """,
        parameterTypes: [.int2Array, .uuidArray])
    static let loadLineages = PostgresStatement(
        name: "load_lineages",
        sql: """
            SELECT x.no, k.version, k.parties, k.hints, k.locked
              FROM unnest($1, $2, $3) WITH ORDINALITY AS x(app, environment, original, no)
             CROSS JOIN LATERAL (SELECT k.* FROM ev.lineage k WHERE k.app = x.app AND k.environment = x.environment
                                    AND k.original_transaction_id = x.original LIMIT 1) k
            """,
        parameterTypes: [.int2Array, .int2Array, .textArray])
    static let loadAccounts = PostgresStatement(
        name: "load_accounts",
        sql: """
            SELECT a.app, a.account, a.known_at
              FROM unnest($1, $2) AS x(app, account)
             CROSS JOIN LATERAL (SELECT a.* FROM ev.account a
                                  WHERE a.app = x.app AND a.account = x.account LIMIT 1) a
            """,
        parameterTypes: [.int2Array, .uuidArray])
}
