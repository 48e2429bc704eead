import Entitlements
import FoundationEssentials
import Postgres

/// An event seen by a reader of lanes: whose it is, not what it says.
public struct TailEntry: Sendable, Hashable {
    /// The lane.
    public var lane: Int16
    /// Its number in the lane; the next one is one more, always.
    public var position: Int64
    /// The stream.
    public var streamID: StreamID
    /// The stream's key.
    public var key: StreamKey
    /// Its number in the stream.
    public var seq: Int64
}

extension EventStore {
    /// What was appended after a position in each lane (1024 of them), in one statement: in each lane in order and without
    /// gaps, at most `limitPerLane`. There is no order between lanes. A position of `Int64.max` passes a lane over.
    public func tail(after positions: [Int64], limitPerLane: Int32) async throws -> [TailEntry] {
        try await run(Self.readTail, positions, limitPerLane).map { row in
            let environment = try Environment(number: row.decode(at: 4))
            return TailEntry(
                lane: try row.decode(at: 0), position: try row.decode(at: 1), streamID: StreamID(try row.decode(at: 2)),
                key: StreamKey(
                    app: try row.decode(at: 3), environment: environment, account: AccountID(try row.decode(at: 5))),
                seq: try row.decode(at: 6))
        }
    }

    /// The last position of each lane, for a reader that begins now. Load states after this, not before.
    public func laneHeads() async throws -> [Int64] {
        try await run(Self.readLaneHeads).map { try $0.decode(at: 0) }
    }

    static let readTail = PostgresStatement(
        name: "tail",
        sql: """
            SELECT e.lane, e.lane_pos, e.stream_id, e.app, e.environment, e.account, e.seq
              FROM unnest($1) WITH ORDINALITY AS x(pos, no)
             CROSS JOIN LATERAL (SELECT e.* FROM ev.event e
                                  WHERE e.lane = (x.no - 1)::smallint AND e.lane_pos > x.pos
                                  ORDER BY e.lane_pos LIMIT $2) e
            """,
        parameterTypes: [.int8Array, .int4])
    private static let readLaneHeads = PostgresStatement(
        name: "lane_heads",
        sql: """
            SELECT coalesce((SELECT e.lane_pos FROM ev.event e WHERE e.lane = l.lane AND e.lane_pos >= l.floor
                              ORDER BY e.lane_pos DESC LIMIT 1), l.floor)
              FROM ev.lane l ORDER BY l.lane
            """)
}
