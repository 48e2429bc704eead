import Entitlements
import EventLog

/// Streams and directory rows as a writer last saw them, so that a batch about them needs no read.
///
/// A memory, never a source: what a batch takes out is gone from here, and comes back only when the log has confirmed it
/// (`WriterBatch.unconfirmed`, `LaneWriter`). So whatever fails, moves or is erased is read again.
struct RecentStates {
    /// A stream as it was seen.
    struct Stream {
        var state: AccountState
        var version: StreamVersion
        /// The length of the state in the log; the memory it takes here grows with it.
        var bytes: Int
    }

    /// A decoded state takes several times the bytes of the stored one.
    private static let memoryPerByte = 8
    private static let memoryPerEntry = 512

    private var streams: BoundedMemory<BatchAssembly.Target, Stream>
    private var records: BoundedMemory<LineageKey, LineageRecord>
    /// What the states were folded in; another log may give other events the same versions.
    private var log: LogIdentity?

    /// A memory of about so many bytes; 0 keeps nothing.
    init(bytes: Int) {
        streams = BoundedMemory(limit: bytes / 4 * 3)
        records = BoundedMemory(limit: bytes / 4)
    }

    /// How many streams are kept.
    var count: Int { streams.count }

    /// Forgets everything if the log is not the one that was seen.
    mutating func begin(on log: LogIdentity) {
        if self.log != log { forgetAll() }
        self.log = log
    }

    /// Forgets everything: after a lost connection the log may have lost commits, too.
    mutating func forgetAll() {
        streams.removeAll()
        records.removeAll()
    }

    /// Hands over a stream.
    mutating func take(_ target: BatchAssembly.Target) -> Stream? { streams.take(target) }
    /// Hands over a directory row.
    mutating func take(_ key: LineageKey) -> LineageRecord? { records.take(key) }

    /// Keeps a stream that has events.
    mutating func keep(_ stream: Stream, of target: BatchAssembly.Target) {
        guard stream.version.version > 0 else { return }
        streams.keep(stream, of: target, cost: stream.bytes * Self.memoryPerByte + Self.memoryPerEntry)
    }

    /// Keeps a directory row that exists.
    mutating func keep(_ record: LineageRecord, of key: LineageKey) {
        guard record.version > 0 else { return }
        records.keep(record, of: key, cost: Self.memoryPerEntry)
    }
}

/// Values by key, those used last, up to a sum of costs. When the younger half is full it becomes the older one, which is
/// dropped: no list to keep in order.
struct BoundedMemory<Key: Hashable, Value> {
    private struct Entry {
        var value: Value
        var cost: Int
    }

    private let limit: Int
    private var younger: [Key: Entry] = [:]
    private var older: [Key: Entry] = [:]
    private var cost = 0

    /// An empty memory. What alone costs more than half of the limit is not kept.
    init(limit: Int) { self.limit = limit }

    /// How many values there are.
    var count: Int { younger.count + older.count }

    /// Removes a value and answers it.
    mutating func take(_ key: Key) -> Value? {
        if let entry = younger.removeValue(forKey: key) {
            cost -= entry.cost
            return entry.value
        }
        return older.removeValue(forKey: key)?.value
    }

    /// Keeps a value in place of any other of its key.
    mutating func keep(_ value: Value, of key: Key, cost: Int) {
        _ = take(key)
        guard cost <= limit / 2 else { return }
        if self.cost + cost > limit / 2 {
            older = younger
            younger = [:]
            self.cost = 0
        }
        younger[key] = Entry(value: value, cost: cost)
        self.cost += cost
    }

    /// Drops everything.
    mutating func removeAll() { self = BoundedMemory(limit: limit) }
}
