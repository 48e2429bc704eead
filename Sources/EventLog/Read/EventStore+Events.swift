public import Entitlements
import FoundationEssentials
import Postgres

extension EventStore {
    /// Events of a stream in order: those after a number, stored no later than an instant, of one lineage only if given.
    /// At most `limit`; read on from the last one's `seq`.
    public func events(
        of stream: StreamID, after seq: Int64 = 0, recordedUpTo instant: Milliseconds? = nil,
        lineage: String? = nil, limit: Int32
    ) async throws -> [StoredEvent] {
        let rows = try await run(
            Self.readEvents, stream.lane, stream.uuid, seq, instant.map(PostgresTimestamp.init), lineage, limit)
        return try rows.map(StoredEvent.init)
    }

    /// Newer signing dates of a stream's objects, stored no later than an instant. Their order does not matter.
    public func resigned(
        of stream: StreamID, recordedUpTo instant: Milliseconds? = nil
    ) async throws -> [StoredResignedCopy] {
        let rows = try await run(
            Self.readResigned, stream.lane, stream.uuid, instant.map(PostgresTimestamp.init))
        return try rows.map { row in
            StoredResignedCopy(
                copy: ResignedCopy(
                    kind: try row.decode(at: 0), objectID: try row.decode(at: 1), contentHash: try row.decode(at: 2),
                    signedAt: try row.decode(at: 3)),
                recordedAt: try row.decode(PostgresTimestamp.self, at: 4).milliseconds)
        }
    }

    /// Versions of streams; those without events are left out.
    public func versions(of streams: [StreamID]) async throws -> [StreamID: Int64] {
        var versions: [StreamID: Int64] = [:]
        for row in try await run(Self.readVersions, streams.map(\.lane), streams.map(\.uuid)) {
            versions[StreamID(try row.decode(at: 0))] = try row.decode(at: 1)
        }
        return versions
    }

    static let readEvents = PostgresStatement(
        name: "read_events",
        sql: """
            SELECT \(StoredEvent.columns) FROM ev.event e
             WHERE e.lane = $1 AND e.stream_id = $2 AND e.seq > $3
               AND ($4 IS NULL OR e.recorded_at <= $4) AND ($5 IS NULL OR e.original_transaction_id = $5)
             ORDER BY e.seq LIMIT $6
            """,
        parameterTypes: [.int2, .uuid, .int8, .timestamptz, .text, .int4])
    private static let readResigned = PostgresStatement(
        name: "read_resigned",
        sql: """
            SELECT r.kind, r.object_id, r.content_hash, r.signed_at, r.recorded_at FROM ev.resigned r
             WHERE r.lane = $1 AND r.stream_id = $2 AND ($3 IS NULL OR r.recorded_at <= $3)
            """,
        parameterTypes: [.int2, .uuid, .timestamptz])
    private static let readVersions = PostgresStatement(
        name: "read_versions",
        sql: """
            SELECT h.stream_id, h.version
              FROM unnest($1, $2) AS x(lane, stream)
             CROSS JOIN LATERAL (SELECT h.* FROM ev.account_head h
                                  WHERE h.lane = x.lane AND h.stream_id = x.stream LIMIT 1) h
            """,
        parameterTypes: [.int2Array, .uuidArray])
}
