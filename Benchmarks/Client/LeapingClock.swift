import EntitledClient
package import Entitlements
import Synchronization

/// Clocks that the played service moves. Short pauses pass at once; long ones when that much has been polled.
package final class LeapingClock: DeviceClock {
    private struct State {
        var passed: Milliseconds = 0
        var next = 0
        var sleepers: [Int: (deadline: Milliseconds, continuation: CheckedContinuation<Void, Never>)] = [:]
    }

    private let state = Mutex(State())
    private let start: Milliseconds

    /// Clocks that begin at this wall time.
    package init(at start: Milliseconds = 1_780_000_000_000) { self.start = start }

    package var wall: Milliseconds { start + state.withLock { $0.passed } }
    package var monotonic: Milliseconds { 1_000_000 + state.withLock { $0.passed } }
    package var bootIdentity: String? { "boot" }

    package func advance(by duration: Milliseconds) {
        let due = state.withLock { state in
            state.passed += duration
            let due = state.sleepers.filter { $0.value.deadline <= state.passed }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }

    package func sleep(for duration: Milliseconds) async throws {
        guard duration >= 60_000 else { return advance(by: duration) }
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if !Task.isCancelled { state.sleepers[id] = (state.passed + duration, continuation) }
                    return state.sleepers[id] == nil
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume()
        }
        try Task.checkCancellation()
    }
}
