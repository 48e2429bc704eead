import EntitledClient
import Entitlements
import Synchronization

/// Clocks that stand still until a test moves them.
final class ManualClock: DeviceClock {
    private struct Sleeper {
        let deadline: Milliseconds
        let duration: Milliseconds
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var wall: Milliseconds
        var monotonic: Milliseconds = 1_000_000
        var boot = "boot-1"
        var next = 0
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
        var watchers:
            [(matches: @Sendable (Milliseconds) -> Bool, continuation: CheckedContinuation<Milliseconds, Never>)] = []
    }

    private let state: Mutex<State>

    init(wall: Milliseconds = 1_780_000_000_000) { state = Mutex(State(wall: wall)) }

    var wall: Milliseconds { state.withLock { $0.wall } }
    var monotonic: Milliseconds { state.withLock { $0.monotonic } }
    var bootIdentity: String? { state.withLock { $0.boot } }

    func sleep(for duration: Milliseconds) async throws {
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let told = state.withLock { state -> [CheckedContinuation<Milliseconds, Never>] in
                    if state.cancelled.remove(id) != nil {
                        continuation.resume(throwing: CancellationError())
                        return []
                    }
                    state.sleepers[id] = Sleeper(
                        deadline: state.monotonic + duration, duration: duration, continuation: continuation)
                    let told = state.watchers.filter { $0.matches(duration) }.map(\.continuation)
                    state.watchers.removeAll { $0.matches(duration) }
                    return told
                }
                for watcher in told { watcher.resume(returning: duration) }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                let sleeper = state.sleepers.removeValue(forKey: id)
                if sleeper == nil { state.cancelled.insert(id) }
                return sleeper
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Moves both clocks, and wakes who has slept long enough.
    func advance(by duration: Milliseconds) {
        let due = state.withLock { state in
            state.wall += duration
            state.monotonic += duration
            let due = state.sleepers.filter { $0.value.deadline <= state.monotonic }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }

    /// Both clocks show this; who has slept long enough by the monotonic one is woken.
    func set(wall: Milliseconds, monotonic: Milliseconds) {
        state.withLock { state in
            state.wall = wall
            state.monotonic = monotonic
        }
        advance(by: 0)
    }

    /// The device starts anew: its monotonic clock will count from now.
    func reboot() {
        state.withLock { state in
            state.boot += "+"
            state.monotonic = 0
        }
    }

    /// Somebody sets the wall clock.
    func setWall(_ wall: Milliseconds) { state.withLock { $0.wall = wall } }

    /// Returns as soon as somebody sleeps for a duration that matches.
    func waitForSleep(where matches: @escaping @Sendable (Milliseconds) -> Bool) async -> Milliseconds {
        await withCheckedContinuation { continuation in
            let found = state.withLock { state -> Milliseconds? in
                let found = state.sleepers.values.first { matches($0.duration) }?.duration
                if found == nil { state.watchers.append((matches, continuation)) }
                return found
            }
            if let found { continuation.resume(returning: found) }
        }
    }
}
