import Synchronization

/// Gives what one sender says to any number of listeners. Each listener keeps only the newest few it has not taken yet, so
/// a slow one costs nobody anything.
final class Broadcast<Element: Sendable>: Sendable {
    private struct State {
        var listeners: [Int: AsyncStream<Element>.Continuation] = [:]
        var next = 0
        /// What a new listener is told first.
        var replay: [Element] = []
    }

    private let state = Mutex(State())
    private let buffer: Int
    private let replayCount: Int

    /// - Parameters:
    ///   - buffer: how many untaken elements a listener keeps.
    ///   - replayCount: how many past elements a new listener is told.
    init(buffer: Int, replayCount: Int) {
        self.buffer = buffer
        self.replayCount = replayCount
    }

    /// A stream that begins with what is replayed; it ends when its reader does.
    func listen() -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream<Element>.makeStream(bufferingPolicy: .bufferingNewest(buffer))
        let id = state.withLock { state in
            state.next += 1
            state.listeners[state.next] = continuation
            // Inside the lock, so that nothing said meanwhile comes before it or twice.
            for element in state.replay { continuation.yield(element) }
            return state.next
        }
        continuation.onTermination = { [weak self] _ in self?.forget(id) }
        return stream
    }

    /// Tells all listeners. What is not kept for new ones is a passing remark.
    func send(_ element: Element, keeping: Bool = true) {
        state.withLock { state in
            if keeping { state.replay = Array((state.replay + [element]).suffix(replayCount)) }
            for listener in state.listeners.values { listener.yield(element) }
        }
    }

    private func forget(_ id: Int) {
        state.withLock { _ = $0.listeners.removeValue(forKey: id) }
    }
}
