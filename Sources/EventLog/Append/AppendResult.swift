/// What became of an event or a group.
public enum AppendCode: Int16, Sendable, Hashable {
    /// Stored.
    case written = 0
    /// Known already, and answered with the first copy. A group: all its events are known, nothing was to be written.
    case known = 1
    /// Not stored: the stream, a directory row or an account has moved, an event beside it is known, or its set failed.
    /// Read the stream again, drop what is known, decide and fold anew.
    case conflict = 2
    /// Not stored: somebody else holds the lane. Nothing is known; put it into the next batch unchanged.
    case busy = 3
}

/// What became of a group.
public struct AppendResult: Sendable, Hashable {
    /// The group as a whole.
    public var code: AppendCode
    /// The stream's version now; 0 when busy.
    public var version: Int64
    /// Its events, in order.
    public var events: [EventResult]

    /// What became of an event.
    public struct EventResult: Sendable, Hashable {
        /// What became of it.
        public var code: AppendCode
        /// Its number in the stream; of the first copy if it is known. Otherwise the stream's version.
        public var seq: Int64
        /// Its number in the lane, or 0.
        public var lanePosition: Int64
    }
}
