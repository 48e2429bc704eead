public import Entitlements
import FoundationEssentials
import Postgres

/// An event of a stream as it lies in the log.
public struct StoredEvent: Sendable, Hashable {
    /// The stream.
    public var streamID: StreamID
    /// Its number in the stream, from 1.
    public var seq: Int64
    /// Its number in the lane, from 1.
    public var lanePosition: Int64
    /// When it was stored here.
    public var recordedAt: Milliseconds
    /// What was stored.
    public var content: EventContent

    static let columns = """
        e.stream_id, e.seq, e.lane_pos, e.recorded_at, e.dedupe_key, e.kind, e.source, e.occurred_at, e.learned_at,
        e.catalog_revision, e.chain_id, e.transaction_id, e.original_transaction_id, e.payload, e.signature, e.meta
        """

    /// From a row of `columns`.
    init(_ row: PostgresRow) throws {
        streamID = StreamID(try row.decode(at: 0))
        seq = try row.decode(at: 1)
        lanePosition = try row.decode(at: 2)
        recordedAt = try row.decode(PostgresTimestamp.self, at: 3).milliseconds
        content = EventContent(
            dedupeKey: try row.decode(at: 4), kind: try row.decode(at: 5), source: try row.decode(at: 6),
            occurredAt: try row.decode(PostgresTimestamp.self, at: 7).milliseconds,
            learnedAt: try row.decode(PostgresTimestamp.self, at: 8).milliseconds, payload: try row.decode(at: 13))
        content.catalogRevision = try row.decode(at: 9)
        content.chainID = try row.decode(at: 10)
        content.transactionId = try row.decode(at: 11)
        content.originalTransactionId = try row.decode(at: 12)
        content.signature = try row.decode(at: 14)
        content.meta = try row.decode(at: 15)
    }
}

/// A newer signing date as it lies beside the log.
public struct StoredResignedCopy: Sendable, Hashable {
    /// What was stored.
    public var copy: ResignedCopy
    /// When it was stored.
    public var recordedAt: Milliseconds
}
