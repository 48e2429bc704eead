import Synchronization

/// Lends sessions, and keeps enough of them connected, checked and young.
///
/// `run()` does the pool's work: connects, checks, timers. Until it runs, whoever asks for a session waits.
public final class PostgresPool: Sendable {
    private typealias Machine = PoolStateMachine<PostgresSession>

    private struct State: Sendable {
        var machine: Machine
        var waiters: [Int: CheckedContinuation<Result<Lease, PostgresError>, Never>] = [:]
        var lastWaiter = 0
    }

    private struct Lease: Sendable {
        let slot: Int
        let session: PostgresSession
    }

    /// What `run()` does in child tasks.
    private enum Work: Sendable {
        case connect(slot: Int)
        case check(slot: Int, PostgresSession)
        case close(PostgresSession)
        case wake(after: Duration)
    }

    private let connectionString: String
    private let options: PostgresPoolOptions
    private let reactors: [any SocketReactor]
    private let state: Mutex<State>
    private let work: AsyncStream<Work>
    private let workContinuation: AsyncStream<Work>.Continuation

    /// Makes a pool; nothing is connected before `run()`. Sessions are spread over the reactors in turn.
    public init(
        connectionString: String, options: PostgresPoolOptions = PostgresPoolOptions(), reactors: [any SocketReactor]
    ) {
        precondition(!reactors.isEmpty, "a pool needs a reactor")
        self.connectionString = connectionString
        self.options = options
        self.reactors = reactors
        state = Mutex(State(machine: Machine(options: options)))
        (work, workContinuation) = AsyncStream.makeStream()
    }

    /// Does the pool's work until `close()` or cancellation, and returns when all sessions are closed. Called once.
    public func run() async {
        // A task of its own, since cancellation would end the stream before the sessions are closed.
        let worker = Task {
            await withDiscardingTaskGroup { group in
                perform { $0.start(now: .now) }
                group.addTask { await self.maintainRegularly() }
                for await item in work {
                    group.addTask { await self.perform(item) }
                }
                // Timers; nothing else is left.
                group.cancelAll()
            }
        }
        await withTaskCancellationHandler {
            await worker.value
        } onCancel: {
            close()
        }
    }

    /// Lends a session for the time of the body. A session whose body threw is only lent again if its connection stands.
    ///
    /// Throws `poolExhausted`, `connectionFailed`, `closed` or `cancelled` if there was no session, else what the body threw.
    public func withSession<T: Sendable>(_ body: (PostgresSession) async throws -> T) async throws -> T {
        let lease = try await lease()
        do {
            let value = try await body(lease.session)
            await release(lease)
            return value
        } catch {
            await release(lease)
            throw error
        }
    }

    /// Refuses new work, closes idle sessions now and lent ones when they come back.
    public func close() {
        perform { $0.close(now: .now) }
    }

    // MARK: Lending

    private func lease() async throws(PostgresError) -> Lease {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.waiters[id] = continuation }
                perform { $0.lease(waiter: id, now: .now) }
                // A cancellation that came before the waiter was known would go unheard.
                if Task.isCancelled { perform { $0.cancel(waiter: id) } }
            }
        } onCancel: {
            perform { $0.cancel(waiter: id) }
        }.get()
    }

    private func release(_ lease: Lease) async {
        let isReusable = await lease.session.isReusable
        perform { $0.release(slot: lease.slot, isReusable: isReusable, now: .now) }
    }

    // MARK: Actions of the machine

    /// Tells the machine of an event and does what it decides, after leaving the lock.
    private func perform(_ event: (inout Machine) -> [Machine.Action]) {
        let actions = state.withLock { event(&$0.machine) }
        for action in actions {
            switch action {
            case .connect(let slot): workContinuation.yield(.connect(slot: slot))
            case .check(let slot, let session): workContinuation.yield(.check(slot: slot, session))
            case .close(let session): workContinuation.yield(.close(session))
            case .wake(let delay): workContinuation.yield(.wake(after: delay))
            case .grant(let waiter, let slot, let session):
                resume(waiter, with: .success(Lease(slot: slot, session: session)))
            case .refuse(let waiter, let error): resume(waiter, with: .failure(error))
            case .finish: workContinuation.finish()
            }
        }
    }

    private func resume(_ waiter: Int, with result: Result<Lease, PostgresError>) {
        state.withLock { $0.waiters.removeValue(forKey: waiter) }?.resume(returning: result)
    }

    private func perform(_ work: Work) async {
        switch work {
        case .connect(let slot): await connect(slot: slot)
        case .check(let slot, let session):
            let isAlive = await isAlive(session)
            perform { $0.checked(slot: slot, isAlive: isAlive, now: .now) }
        case .close(let session): await session.close()
        case .wake(let delay):
            try? await Task.sleep(for: delay)
            perform { $0.tick(now: .now) }
        }
    }

    private func connect(slot: Int) async {
        do {
            let session = try await PostgresSession.connect(
                to: connectionString, options: options.session, on: reactors[slot % reactors.count])
            perform { $0.connected(slot: slot, session, now: .now) }
            // Afterwards, so that a session that is gone already is found among the idle ones.
            await session.notifyAtEnd { [weak self] _ in
                self?.perform { $0.lost(slot: slot, now: .now) }
            }
        } catch {
            let jitter = Double.random(in: 0...1)
            perform { $0.connectFailed(slot: slot, error, jitter: jitter, now: .now) }
        }
    }

    private func maintainRegularly() async {
        while (try? await Task.sleep(for: options.checkInterval)) != nil {
            perform { $0.maintain(now: .now) }
        }
    }

    private func isAlive(_ session: PostgresSession) async -> Bool {
        let ping = PostgresStatement(name: "pool_ping", sql: "SELECT 1")
        return (try? await session.query(ping)) != nil
    }
}
