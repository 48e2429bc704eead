public import Entitlements

/// What decisions need, as of one moment shortly before now. An append compares it again.
public struct Loaded: Sendable {
    /// Streams that have events; the others are empty.
    public var streams: [StreamID: StoredStream] = [:]
    /// Directory rows that exist.
    public var lineages: [LineageKey: LineageRecord] = [:]
    /// Accounts that are known, and since when.
    public var known: [AccountKey: Milliseconds] = [:]
}

/// A stream's head and its state.
public struct StoredStream: Sendable, Hashable {
    /// How far it is.
    public var version: StreamVersion
    /// The state at that version; nil if the generation has none: fold the events.
    public var snapshot: FoldedState?
}
