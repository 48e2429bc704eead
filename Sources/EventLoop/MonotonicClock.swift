import Glibc

/// The kernel's monotonic clock in nanoseconds: never set back, of no use as a date.
enum MonotonicClock {
    static func nanoseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

extension Duration {
    /// The duration in nanoseconds, held within what Int64 can carry (292 years).
    var clampedNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowed) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard overflow || overflowed else { return sum }
        return seconds < 0 ? .min : .max
    }
}
