public import EventLog

/// How far a follower has read each lane. No I/O.
///
/// Positions of a lane are dense and appear in order, so what is read is exactly what lies behind the position; a hole is a
/// fault of the log, never something to wait for.
public struct TailPositions: Sendable {
    /// By lane.
    public private(set) var positions: [Int64]
    /// Holes seen: the log promises that there are none.
    public private(set) var holes: Int64 = 0

    /// Begins behind what is there now.
    public init(heads: [Int64]) { positions = heads }

    /// Takes what a read returned, and returns the newest version of each stream in it.
    public mutating func take(_ entries: [TailEntry]) -> [StreamID: Int64] {
        var versions: [StreamID: Int64] = [:]
        for entry in entries {
            let lane = Int(entry.lane)
            if entry.position != positions[lane] + 1 { holes += 1 }
            positions[lane] = max(positions[lane], entry.position)
            versions[entry.streamID] = max(versions[entry.streamID] ?? 0, entry.seq)
        }
        return versions
    }
}
