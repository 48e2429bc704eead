public import Entitlements
import Glibc

/// Tells the time of day. Passed in, so that tests need not wait for time to pass.
public protocol WallClock: Sendable {
    /// Milliseconds since 1970 UTC.
    func now() -> Milliseconds
}

/// The machine's clock.
public struct SystemClock: WallClock {
    /// The machine's clock.
    public init() {}

    public func now() -> Milliseconds {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Milliseconds(time.tv_sec) * 1000 + Milliseconds(time.tv_nsec) / 1_000_000
    }
}
