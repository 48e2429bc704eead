public import Entitlements
import Glibc
public import Sync

/// The machine's clock.
public struct SystemClock: Clock {
    /// The machine's clock.
    public init() {}

    /// Milliseconds since 1970 UTC.
    public func now() -> Milliseconds {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Milliseconds(time.tv_sec) * 1000 + Milliseconds(time.tv_nsec) / 1_000_000
    }
}
