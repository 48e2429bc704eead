public import EventLog
import Postgres

/// Reads the log's lanes behind all instances' commits and tells which streams moved: the truth behind the faster hints.
public actor TailFollower {
    /// What a follower needs.
    public struct Environment: Sendable {
        /// Opens its session.
        public var connect: @Sendable () async throws -> any LogConnection
        /// Told the newest version of each stream that moved.
        public var onMoved: @Sendable ([StreamID: Int64]) -> Void

        /// What a follower needs.
        public init(
            connect: @escaping @Sendable () async throws -> any LogConnection,
            onMoved: @escaping @Sendable ([StreamID: Int64]) -> Void
        ) {
            self.connect = connect
            self.onMoved = onMoved
        }
    }

    private static let limitPerLane: Int32 = 200

    private let executor: any SerialExecutor
    private let environment: Environment
    private var store: EventStore?
    private var tail: TailPositions?
    /// When the log was last read to its end; before that, when this began.
    public private(set) var lastRead = ContinuousClock.now
    private var isReading = false
    private var isDue = false

    /// The loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// A follower on a loop; the owner calls `read` by timer and by hint.
    public init(executor: any SerialExecutor, environment: Environment) {
        self.executor = executor
        self.environment = environment
    }

    /// Holes in lanes seen so far: 0, or the log is damaged.
    public var holes: Int64 { tail?.holes ?? 0 }

    /// Finds where the log ends now. Held polls are taken only after this.
    public func begin() async throws {
        let store = try await openStore()
        if tail == nil { tail = TailPositions(heads: try await store.laneHeads()) }
    }

    /// Reads what is new. A call while one runs makes that one read once more. A failure keeps the positions: what is
    /// behind them is read next time.
    public func read() async {
        guard !isReading else {
            isDue = true
            return
        }
        isReading = true
        defer { isReading = false }
        repeat {
            isDue = false
            do {
                try await begin()
                let store = try await openStore()
                guard var tail else { return }
                let entries = try await store.tail(after: tail.positions, limitPerLane: Self.limitPerLane)
                let moved = tail.take(entries)
                self.tail = tail
                if !moved.isEmpty { environment.onMoved(moved) }
                let counts = Dictionary(grouping: entries, by: \.lane).values.map(\.count)
                isDue = isDue || counts.contains(Int(Self.limitPerLane))
                if !isDue { lastRead = ContinuousClock.now }
            } catch {
                store = nil
                return
            }
        } while isDue
    }

    private func openStore() async throws -> EventStore {
        if let store { return store }
        let opened = EventStore(try await environment.connect())
        store = opened
        return opened
    }
}
