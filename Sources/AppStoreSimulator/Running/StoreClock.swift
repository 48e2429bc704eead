import Entitlements
import Glibc

/// The store's time: the machine's, from an instant on, so many times as fast. Speed 0 stands still and is moved by steps.
struct StoreClock: Sendable {
    /// A year in about half a minute.
    static let fastest = 1_000_000.0
    /// Ten years.
    static let longestStep = 3660 * Time.day

    private(set) var speed: Double
    private var base: Milliseconds
    private var machineBase: Milliseconds

    init(_ base: Milliseconds, speed: Double, machine: Milliseconds) {
        self.base = base
        self.speed = speed
        machineBase = machine
    }

    func now(machine: Milliseconds) -> Milliseconds {
        // The machine's clock may be set back; the store's never goes back.
        base + Milliseconds(Double(max(0, machine - machineBase)) * speed)
    }

    mutating func step(by span: Milliseconds, machine: Milliseconds) {
        base = now(machine: machine) + span
        machineBase = machine
    }

    mutating func set(speed: Double, machine: Milliseconds) {
        step(by: 0, machine: machine)
        self.speed = speed
    }
}

/// The machine's clock.
enum MachineClock {
    /// Milliseconds since 1970 UTC.
    static func now() -> Milliseconds {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Milliseconds(time.tv_sec) * 1000 + Milliseconds(time.tv_nsec) / 1_000_000
    }
}
