import CLibcurl
import Foundation
import Synchronization

/// The thread that runs the transfers of one client, and what other threads tell it.
final class TransferWorker: Sendable {
    private enum Entry {
        /// `send` was called and has not handed over its continuation yet.
        case reserved
        case waiting(CheckedContinuation<WebResponse, any Error>)
    }

    /// What the thread has not looked at yet.
    private struct Orders {
        var submitted: [(id: UInt64, request: WebRequest)] = []
        var givenUp: [UInt64] = []
        var isStopping = false
    }

    private struct State {
        var lastID: UInt64 = 0
        /// Whose caller has no result yet: who takes an entry out resumes it.
        var entries: [UInt64: Entry] = [:]
        var orders = Orders()
        var hasThread = false
    }

    private let configuration: WebClient.Configuration
    private let multi: MultiHandle
    private let state = Mutex(State())

    init(_ configuration: WebClient.Configuration) throws(WebError) {
        self.configuration = configuration
        multi = try MultiHandle(connectionLimit: configuration.connectionLimit)
    }

    func reserve() -> UInt64 {
        state.withLock { state in
            state.lastID += 1
            state.entries[state.lastID] = .reserved
            return state.lastID
        }
    }

    /// Queues a request, unless it was given up meanwhile.
    func submit(_ request: WebRequest, as id: UInt64, _ continuation: CheckedContinuation<WebResponse, any Error>) {
        enum Step { case wake, startThread, refuse }
        let step: Step = state.withLock { state in
            guard case .reserved? = state.entries[id] else { return .refuse }
            state.entries[id] = .waiting(continuation)
            state.orders.submitted.append((id, request))
            defer { state.hasThread = true }
            return state.hasThread ? .wake : .startThread
        }
        switch step {
        case .wake: multi.wake()
        case .startThread: Thread.detachNewThread { self.run() }
        case .refuse: continuation.resume(throwing: CancellationError())
        }
    }

    /// Hands a caller its result, if it has none yet.
    func end(_ id: UInt64, _ result: Result<WebResponse, any Error>, isGivenUp: Bool = false) {
        let entry = state.withLock { state in
            let entry = state.entries.removeValue(forKey: id)
            if isGivenUp, case .waiting? = entry { state.orders.givenUp.append(id) }
            return entry
        }
        guard case .waiting(let continuation)? = entry else { return }
        continuation.resume(with: result)
        if isGivenUp { multi.wake() }
    }

    /// Ends the thread. Nobody waits any more: a caller keeps the client alive.
    func stop() {
        state.withLock { $0.orders.isStopping = true }
        multi.wake()
    }

    private func takeOrders() -> Orders {
        state.withLock { state in
            defer { state.orders = Orders() }
            return state.orders
        }
    }

    private func run() {
        // A connection that the other side closed must not end the process.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)

        let transfers = Transfers(multi, configuration)
        while case let orders = takeOrders(), !orders.isStopping {
            for (id, request) in orders.submitted {
                do { try transfers.add(request, as: id) } catch { end(id, .failure(error)) }
            }
            for id in orders.givenUp { transfers.drop(id) }
            for (id, result) in transfers.turn() { end(id, result.mapError { $0 }) }
            multi.wait()
        }
    }
}
