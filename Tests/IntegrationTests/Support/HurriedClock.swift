import EntitledClient
import Entitlements
import Synchronization

/// The machine's clocks as a device has them that a test moves forward. Its pauses are twenty times shorter, so that what a
/// client does after a minute can be waited for.
final class HurriedClock: DeviceClock {
    private let system = SystemClock()
    private let moved = Mutex<Milliseconds>(0)
    private static let hurry: Milliseconds = 20

    var wall: Milliseconds { system.wall + moved.withLock { $0 } }
    var monotonic: Milliseconds { system.monotonic + moved.withLock { $0 } }
    var bootIdentity: String? { system.bootIdentity }

    /// Time passes.
    func advance(by duration: Milliseconds) { moved.withLock { $0 += duration } }

    func sleep(for duration: Milliseconds) async throws { try await system.sleep(for: duration / Self.hurry) }
}
