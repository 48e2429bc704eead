import EntitledClient
import Synchronization

/// A service played by the test: it takes requests one by one and answers when it likes.
final class ScriptedTransport: Transport {
    /// A request that waits for its answer.
    struct Exchange: Sendable {
        let request: TransportRequest
        fileprivate let id: Int
        fileprivate let transport: ScriptedTransport

        func answer(_ response: TransportResponse) { transport.end(id, .success(response)) }
        func fail() { transport.end(id, .failure(CancellationError())) }
        var isOpen: Bool { transport.isOpen(id) }
    }

    private struct State {
        var next = 0
        var open: [Int: CheckedContinuation<TransportResponse, any Error>] = [:]
        var cancelled: Set<Int> = []
        var queue: [Exchange] = []
        var watchers:
            [(matches: @Sendable (TransportRequest) -> Bool, continuation: CheckedContinuation<Exchange, Never>)] = []
    }

    private let state = Mutex(State())

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let exchange = Exchange(request: request, id: id, transport: self)
                let watcher = state.withLock { state -> CheckedContinuation<Exchange, Never>? in
                    if state.cancelled.remove(id) != nil {
                        continuation.resume(throwing: CancellationError())
                        return nil
                    }
                    state.open[id] = continuation
                    guard let index = state.watchers.firstIndex(where: { $0.matches(request) }) else {
                        state.queue.append(exchange)
                        return nil
                    }
                    return state.watchers.remove(at: index).continuation
                }
                watcher?.resume(returning: exchange)
            }
        } onCancel: {
            let known = state.withLock { state in
                if state.open[id] == nil { state.cancelled.insert(id) }
                return state.open[id] != nil
            }
            if known { end(id, .failure(CancellationError())) }
        }
    }

    /// The oldest request that matches and that nobody has taken, or the next one.
    func next(
        where matches: @escaping @Sendable (TransportRequest) -> Bool = { _ in true }
    ) async -> Exchange {
        await withCheckedContinuation { continuation in
            let found = state.withLock { state -> Exchange? in
                if let index = state.queue.firstIndex(where: { matches($0.request) }) {
                    return state.queue.remove(at: index)
                }
                state.watchers.append((matches, continuation))
                return nil
            }
            if let found { continuation.resume(returning: found) }
        }
    }

    /// The next poll, held or not.
    func nextPoll() async -> Exchange { await next { $0.method == "GET" } }
    /// The next push.
    func nextPush() async -> Exchange { await next { $0.url.contains("/transactions") } }

    /// Requests nobody has taken.
    var untaken: Int { state.withLock { $0.queue.count } }

    fileprivate func end(_ id: Int, _ result: Result<TransportResponse, any Error>) {
        state.withLock { $0.open.removeValue(forKey: id) }?.resume(with: result)
    }

    fileprivate func isOpen(_ id: Int) -> Bool { state.withLock { $0.open[id] != nil } }
}
