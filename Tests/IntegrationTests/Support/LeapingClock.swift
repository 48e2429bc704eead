import EntitledClient
import Entitlements
import Synchronization

/// Clocks that the played service moves. Short pauses pass at once; long ones when that much has been polled.
final class LeapingClock: DeviceClock {
    private struct State {
        var passed: Milliseconds = 0
        var next = 0
        var sleepers: [Int: (deadline: Milliseconds, continuation: CheckedContinuation<Void, Never>)] = [:]
    }

    private let state = Mutex(State())
    private static let start: Milliseconds = 1_780_000_000_000

    var wall: Milliseconds { Self.start + state.withLock { $0.passed } }
    var monotonic: Milliseconds { 1_000_000 + state.withLock { $0.passed } }
    var bootIdentity: String? { "boot" }

    func advance(by duration: Milliseconds) {
        let due = state.withLock { state in
            state.passed += duration
            let due = state.sleepers.filter { $0.value.deadline <= state.passed }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }

    func sleep(for duration: Milliseconds) async throws {
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
