import Postgres
import TestSupport
import Testing

@testable import EventLog

/// The statements that run all the time must find rows by index, also with plans made for a small table.
struct PlanTests {
    private static let lanes = "array_fill(0::bigint, ARRAY[1024])"
    private static let streams = "ARRAY[5::smallint], ARRAY['01400000-0000-0000-0000-000000000000'::uuid]"

    @Test(arguments: [
        (EventStore.readTail, "\(lanes), 200", "event_pkey"),
        (EventStore.loadStreams, "\(streams), 1", "account_head_pkey"),
        (EventStore.loadPositions, streams, "account_head_pkey"),
        (
            EventStore.readEvents, "5::smallint, '01400000-0000-0000-0000-000000000000', 0, NULL, NULL, 100",
            "event_lane_stream_id_dedupe_key_key"
        ),
        (EventStore.loadLineages, "ARRAY[1::smallint], ARRAY[0::smallint], ARRAY['x']", "lineage_pkey"),
        (
            EventStore.loadAccounts, "ARRAY[1::smallint], ARRAY['01400000-0000-0000-0000-000000000000'::uuid]",
            "account_pkey"
        ),
        (EventStore.readUnclaimed, "1::smallint, 0::smallint, '', 10", "lineage_unclaimed"),
        (EventStore.findByTransaction, "1::smallint, 0::smallint, 'x'", "event_transaction"),
    ])
    func usesItsIndex(_ statement: PostgresStatement, _ values: String, _ index: String) async throws {
        try await withLog { _, session in
            try await fill(session)
            let names = statement.parameterTypes.map(\.sqlName).joined(separator: ", ")
            let plan = try await session.texts(
                """
                SET plan_cache_mode = force_generic_plan;
                PREPARE p(\(names)) AS \(statement.sql);
                EXPLAIN EXECUTE p(\(values))
                """
            ).joined().joined(separator: "\n")
            #expect(plan.contains(index), "\(plan)")
            #expect(!plan.contains("Seq Scan on event"), "\(plan)")
            #expect(!plan.contains("Seq Scan on account"), "\(plan)")
        }
    }

    /// The function pins its own plans; its duplicate search must not grow with the log.
    @Test func duplicatesAreFoundByIndex() async throws {
        try await withLog { _, session in
            try await fill(session)
            try await session.execute("SELECT pg_stat_force_next_flush(); SELECT pg_stat_reset()")
            for number in 1...5 { _ = try await EventStore(session).append([group(number, [1])]) }
            let scans = try await session.texts(
                """
                SELECT pg_stat_force_next_flush();
                SELECT coalesce(sum(seq_scan), 0) FROM pg_stat_user_tables
                 WHERE relname IN ('event', 'account_head', 'snapshot_g1')
                """)
            #expect(scans == [["0"]])
        }
    }

    private func fill(_ session: PostgresSession) async throws {
        try await session.execute(
            """
            INSERT INTO ev.event
            SELECT n / 1024 + 1, now(), now(), now(), 1, 0, 0, n % 1024, 1, 0, 1, 0, gen_random_uuid(), gen_random_uuid(),
                   gen_random_uuid(), 't' || n, 'o' || n, '', '', ''
              FROM generate_series(0, 20479) AS n;
            INSERT INTO ev.account_head
            SELECT 1, now(), 0, (get_byte(uuid_send(u), 0) << 2) | (get_byte(uuid_send(u), 1) >> 6), 1, 0, u, u
              FROM (SELECT gen_random_uuid() AS u FROM generate_series(1, 20000)) x;
            INSERT INTO ev.lineage SELECT 1, 1, 0, false, 'o' || n, ARRAY[gen_random_uuid()], '{}'
              FROM generate_series(1, 20000) AS n;
            INSERT INTO ev.account SELECT gen_random_uuid(), now(), 1 FROM generate_series(1, 20000);
            ANALYZE ev.event, ev.account_head, ev.lineage, ev.account;
            """)
    }
}

extension PostgresType {
    /// For PREPARE, which takes names.
    var sqlName: String {
        switch self {
        case .int2: "smallint"
        case .int4: "int"
        case .int8: "bigint"
        case .text: "text"
        case .uuid: "uuid"
        case .timestamptz: "timestamptz"
        case .int2Array: "smallint[]"
        case .int8Array: "bigint[]"
        case .textArray: "text[]"
        case .uuidArray: "uuid[]"
        default: "unknown"
        }
    }
}
