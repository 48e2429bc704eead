import EntitledClient
import Entitlements

/// This machine's clocks, set forward: the offline limit can be shown without waiting for it.
struct OffsetClock: DeviceClock {
    private let base = SystemClock()
    let offset: Milliseconds

    var wall: Milliseconds { base.wall + offset }
    var monotonic: Milliseconds { base.monotonic + offset }
    var bootIdentity: String? { base.bootIdentity }

    func sleep(for duration: Milliseconds) async throws { try await base.sleep(for: duration) }
}
