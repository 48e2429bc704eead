public import Entitlements
public import EventLog
import Postgres

/// The one writer of a range of lanes in this process: while one append is in flight, the next batch gathers. Runs on a loop
/// and has a database session of its own there.
public actor LaneWriter {
    /// A decided and committed command.
    public struct Committed: Sendable {
        /// One an item.
        public let outcomes: [Outcome]
        /// The views of the account streams it looked at, the commit included.
        public let views: [StreamRef: View]
    }

    /// A stream that was appended to.
    public struct Change: Sendable {
        /// The stream.
        public let stream: StreamID
        /// Its version now.
        public let version: Int64
        /// The view, if it is an account's.
        public let view: View?
    }

    /// What a writer needs.
    public struct Environment: Sendable {
        /// Opens its session.
        public var connect: @Sendable () async throws -> any LogConnection
        /// The apps.
        public var terms: LiveTerms
        /// The time.
        public var clock: any Clock
        /// How many bytes of recently used states it may keep.
        public var memory: Int
        /// Told after each commit, before the answers.
        public var onCommit: @Sendable ([Change]) -> Void
        /// Told of each append: how many events it had, and how long it took.
        public var onAppend: @Sendable (Int, Duration) -> Void = { _, _ in }

        /// What a writer needs. `connect` gives one session: one that connects itself anew would hide from the writer that what
        /// it remembers may be gone.
        public init(
            connect: @escaping @Sendable () async throws -> any LogConnection, terms: LiveTerms, clock: any Clock,
            memory: Int = 64 << 20, onCommit: @escaping @Sendable ([Change]) -> Void
        ) {
            self.connect = connect
            self.terms = terms
            self.clock = clock
            self.memory = memory
            self.onCommit = onCommit
        }
    }

    /// Counts for metrics.
    public struct Statistics: Sendable {
        /// Appends committed.
        public var batches: Int64 = 0
        /// Events in them.
        public var events: Int64 = 0
        /// Commands decided again because a stream had moved.
        public var conflicts: Int64 = 0
        /// Streams that were not read, because they were remembered.
        public var recalled: Int64 = 0
        /// Commands waiting now.
        public var waiting = 0
    }

    private struct Waiting {
        var app: Int16
        var command: Command
        var rounds = 0
        var continuation: CheckedContinuation<Committed, any Error>
    }

    private static let maximumBatch = 200
    private static let maximumWaiting = 20_000
    /// Beyond these, other writers were always faster.
    private static let maximumRounds = 8
    /// Attempts of one batch against a database that fails.
    private static let maximumAttempts = 3

    private let executor: any SerialExecutor
    private let environment: Environment
    private var store: EventStore?
    private var recent: RecentStates
    private var queue: [Waiting] = []
    private var isRunning = false
    /// For metrics.
    public private(set) var statistics = Statistics()

    /// The loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// A writer on a loop.
    public init(executor: any SerialExecutor, environment: Environment) {
        self.executor = executor
        self.environment = environment
        recent = RecentStates(bytes: environment.memory)
    }

    /// Decides, appends, and returns after the commit. Throws `SyncError`; then nothing is known to be stored.
    public func submit(_ command: Command, app: Int16) async throws -> Committed {
        guard queue.count < Self.maximumWaiting else {
            throw SyncError(.overloaded, "\(queue.count) commands are waiting for the database")
        }
        return try await withCheckedThrowingContinuation { continuation in
            queue.append(Waiting(app: app, command: command, continuation: continuation))
            statistics.waiting = queue.count
            guard !isRunning else { return }
            isRunning = true
            // With the loop as preferred executor, what the writer awaits stays on the loop, too.
            Task(executorPreference: executor as? any TaskExecutor) { await self.run() }
        }
    }

    private func run() async {
        while !queue.isEmpty {
            let batch = takeBatch()
            statistics.waiting = queue.count
            await process(batch)
        }
        isRunning = false
    }

    private func takeBatch() -> [Waiting] {
        var batch: [Waiting] = []
        var kept: [Waiting] = []
        var hasAppCommand = false
        for waiting in queue {
            // The app's own stream tells repetitions by the log's key alone: one a batch, or a known one would take a new
            // one down with it.
            let isAppCommand = waiting.command.concernsAppStream
            if batch.count >= Self.maximumBatch || (isAppCommand && hasAppCommand) {
                kept.append(waiting)
            } else {
                batch.append(waiting)
                hasAppCommand = hasAppCommand || isAppCommand
            }
        }
        queue = kept
        return batch
    }

    private func process(_ waiting: [Waiting]) async {
        var open = waiting
        var attempts = 0
        while !open.isEmpty {
            do {
                open = try await attempt(open)
            } catch let error as UnreadableEvent {
                return fail(open, SyncError(.unreadableLog, error.description))
            } catch let error as StateCodingError {
                return fail(open, SyncError(.unreadableLog, error.description))
            } catch let error as PostgresError where error.isRefusalOfContent && open.count > 1 {
                // One item that the database cannot take must not fail its neighbours.
                for item in open { await process([item]) }
                return
            } catch let error as PostgresError where error.isRefusalOfContent {
                return fail(open, SyncError(.unstorable, error.description))
            } catch {
                // The server's refusals write nothing; a lost connection may have written. Either way the next attempt reads
                // again and recognises what is there.
                store = nil
                recent.forgetAll()
                attempts += 1
                guard attempts < Self.maximumAttempts else {
                    return fail(open, SyncError(.databaseUnavailable, "\(error)"))
                }
            }
        }
    }

    /// One round: load, decide, append, answer. Returns what must be decided again.
    private func attempt(_ waiting: [Waiting]) async throws -> [Waiting] {
        var served: [(app: ServedApp, command: Command)] = []
        var accepted: [Waiting] = []
        for item in waiting {
            guard let app = environment.terms.app(number: item.app) else {
                item.continuation.resume(throwing: SyncError(.unknownApp, "app \(item.app) is not served"))
                continue
            }
            served.append((app, item.command))
            accepted.append(item)
        }
        guard !accepted.isEmpty else { return [] }
        let store = try await openStore()
        let log = environment.terms.log
        let loader = BatchLoader(store: store, generation: log.generation)
        recent.begin(on: log)
        var batch = WriterBatch(served, now: environment.clock.now())
        var missing = batch.foreseen()
        repeat {
            missing = batch.recall(missing, from: &recent)
            try await loader.load(missing, into: &batch)
            missing = batch.advance()
        } while !missing.isEmpty
        let unconfirmed = batch.unconfirmed
        guard try await loader.confirms(streams: unconfirmed.streams, lineages: unconfirmed.lineages) else {
            // What was taken from memory is gone from it: the next round reads.
            return accepted.compactMap(decidedAgain)
        }
        statistics.recalled += Int64(batch.recalledCount)
        let (assembly, views) = batch.assemble(log: log)
        // Sessions of this process share no lanes; another instance's lane is passed over at first.
        let isPatient = accepted.contains { $0.rounds >= 3 }
        let begun = ContinuousClock.now
        let results = try await store.append(assembly.batch, wait: isPatient)
        environment.onAppend(assembly.eventCount, ContinuousClock.now - begun)
        return answer(accepted, batch: batch, assembly: assembly, results: results, views: views)
    }

    private func openStore() async throws -> EventStore {
        if let store { return store }
        let opened = EventStore(try await environment.connect())
        store = opened
        return opened
    }

    private func answer(
        _ waiting: [Waiting], batch: WriterBatch, assembly: BatchAssembly, results: [AppendResult],
        views: [BatchAssembly.Target: View]
    ) -> [Waiting] {
        var changes: [Change] = []
        var failed: Set<BatchAssembly.Target> = []
        var known: Set<BatchAssembly.Target> = []
        var written: [BatchAssembly.Target: WriterBatch.Position] = [:]
        for (target, index) in assembly.groups {
            switch results[index].code {
            case .written:
                statistics.events += Int64(results[index].events.count)
                changes.append(
                    Change(
                        stream: assembly.batch.groups[index].id, version: results[index].version,
                        view: views[target]))
                let group = assembly.batch.groups[index]
                written[target] = WriterBatch.Position(
                    version: StreamVersion(results[index].version, resigned: group.resulting.resigned),
                    bytes: group.states.first?.state.count ?? 0)
            case .known where target.stream == .app: known.insert(target)
            case .known, .conflict, .busy: failed.insert(target)
            }
        }
        if !changes.isEmpty {
            statistics.batches += 1
            environment.onCommit(changes)
        }
        batch.remember(in: &recent, written: written, failed: failed.union(known))
        var again: [Waiting] = []
        for (item, decided) in zip(waiting, batch.items) {
            let targets = decided.progress.streams.map { BatchAssembly.Target(app: item.app, stream: $0) }
            if targets.contains(where: failed.contains) {
                if let item = decidedAgain(item) { again.append(item) }
                continue
            }
            let isKnown = targets.contains(where: known.contains)
            let seen = decided.progress.command.viewedStreams
            item.continuation.resume(
                returning: Committed(
                    outcomes: isKnown ? [.duplicate] : decided.progress.outcomes,
                    views: Dictionary(
                        seen.compactMap { stream in
                            views[BatchAssembly.Target(app: item.app, stream: stream)].map { (stream, $0) }
                        }, uniquingKeysWith: { first, _ in first })))
        }
        return again
    }

    /// The command for the next round; nil when it has had its last one, and is refused.
    private func decidedAgain(_ item: Waiting) -> Waiting? {
        var item = item
        item.rounds += 1
        statistics.conflicts += 1
        if item.rounds < Self.maximumRounds { return item }
        item.continuation.resume(throwing: SyncError(.contended, "the streams of this command moved in every round"))
        return nil
    }

    private func fail(_ waiting: [Waiting], _ error: SyncError) {
        for item in waiting { item.continuation.resume(throwing: error) }
    }
}

extension Command {
    var concernsAppStream: Bool {
        if case .notification(let admitted) = self {
            return admitted.transaction == nil && admitted.renewalInfo == nil
        }
        return false
    }

    /// Account streams whose view goes into the answer.
    var viewedStreams: Set<StreamRef> {
        switch self {
        case .push(let account, let items, _): Set(items.map { .account($0.environment, account) })
        case .grant(let stream, _), .revokeGrant(let stream, _), .spend(let stream, _): [stream]
        default: []
        }
    }
}

extension PostgresError {
    /// Whether the server refused what was sent, not the moment: sent again it would be refused again.
    fileprivate var isRefusalOfContent: Bool {
        guard let sqlState else { return false }
        return switch sqlState {
        case SQLState.Class.dataException, SQLState.Class.integrityConstraintViolation, SQLState.Class(rawValue: "54"):
            true
        default: false
        }
    }
}
