public import Entitlements

/// What one statement appends: groups of any number of streams, each stream once.
public struct AppendBatch: Sendable {
    /// Batches beyond these are refused: they would hold their lanes too long.
    public static let maximumGroups = 1000
    /// Events of all groups together.
    public static let maximumEvents = 10_000

    /// The projection generations that this release folds; each group brings a state for each of them, in this order.
    public var generations: [Int32]
    /// In any order; the results come in the same.
    public var groups: [AppendGroup]

    /// A batch.
    public init(generations: [Int32], groups: [AppendGroup] = []) {
        self.generations = generations
        self.groups = groups
    }
}

/// What one stream gets: written whole or not at all.
public struct AppendGroup: Sendable {
    /// The stream.
    public let key: StreamKey
    /// Its id: a hash, taken once.
    public let id: StreamID
    /// Groups with the same positive number are written all or none; 0 is alone.
    public var set: Int32
    /// What the stream was when it was decided; `.empty` for a new one.
    public var expected: StreamVersion
    /// When it is stored, by the service's clock.
    public var recordedAt: Milliseconds
    /// In order. Drop repeated keys before folding.
    public var events: [EventContent]
    /// Newer dates; a group may consist of them alone if the stream has events already.
    public var resigned: [ResignedCopy]
    /// Directory rows that go with it. A lineage may come once in a batch.
    public var lineages: [LineageChange]
    /// The state after all of it, by generation.
    public var states: [FoldedState]

    /// A group.
    public init(
        key: StreamKey, set: Int32 = 0, expected: StreamVersion, recordedAt: Milliseconds, events: [EventContent],
        resigned: [ResignedCopy] = [], lineages: [LineageChange] = [], states: [FoldedState]
    ) {
        self.key = key
        id = key.id
        self.set = set
        self.expected = expected
        self.recordedAt = recordedAt
        self.events = events
        self.resigned = resigned
        self.lineages = lineages
        self.states = states
    }

    /// What the stream is once the group is written with distinct, new events.
    public var resulting: StreamVersion {
        StreamVersion(expected.version + Int64(events.count), resigned: expected.resigned + (resigned.isEmpty ? 0 : 1))
    }
}

/// How far a stream is. Both numbers together say whether a state is the latest; only `version` is seen outside.
public struct StreamVersion: Sendable, Hashable {
    /// Events so far; the `seq` of the last one.
    public var version: Int64
    /// Appends so far that brought newer signing dates.
    public var resigned: Int32

    /// A version.
    public init(_ version: Int64, resigned: Int32) {
        self.version = version
        self.resigned = resigned
    }

    /// A stream without events.
    public static let empty = StreamVersion(0, resigned: 0)
}

/// A folded state as snapshots keep it.
public struct FoldedState: Sendable, Hashable {
    /// The state's bytes.
    public var state: [UInt8]
    /// Its hash, for comparing generations.
    public var hash: [UInt8]
    /// When its view changes next by time alone; nil is never.
    public var nextChangeAt: Milliseconds?

    /// A state.
    public init(state: [UInt8], hash: [UInt8], nextChangeAt: Milliseconds?) {
        self.state = state
        self.hash = hash
        self.nextChangeAt = nextChangeAt
    }
}

/// A directory row that goes with a group. If the row has moved since it was read, the group is not written.
public struct LineageChange: Sendable {
    /// The lineage, in the group's app; its environment must be the group's.
    public var lineage: LineageRef
    /// The row's version when it was read; 0: there is none.
    public var expected: Int64
    /// What to write; nil only compares, and keeps others from writing until the commit.
    public var record: LineageRecord?

    /// Writes a row; its version becomes one more than the expected one.
    public static func write(_ record: LineageRecord, of lineage: LineageRef, expected: Int64) -> LineageChange {
        LineageChange(lineage: lineage, expected: expected, record: record)
    }

    /// Compares a row that must exist: for facts that go to the parties it names.
    public static func check(_ lineage: LineageRef, expected: Int64) -> LineageChange {
        LineageChange(lineage: lineage, expected: expected, record: nil)
    }
}
