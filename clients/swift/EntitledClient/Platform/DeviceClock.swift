public import Entitlements

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The two clocks of a device, and waiting on them. Tests pass their own.
public protocol DeviceClock: Sendable {
    /// What the wall clock shows. A person can change it.
    var wall: Milliseconds { get }
    /// Time since the device started, sleep included. Nobody can set it back.
    var monotonic: Milliseconds { get }
    /// Names the start of the device, where the system has a name for it: a change of name is a reboot.
    var bootIdentity: String? { get }
    /// Waits; throws `CancellationError` when the task is cancelled first.
    func sleep(for duration: Milliseconds) async throws
}

/// The clocks of this machine.
public struct SystemClock: DeviceClock {
    /// The name of this start of the machine, read once.
    public let bootIdentity: String?

    /// The clocks of this machine.
    public init() {
        let path = "/proc/sys/kernel/random/boot_id"
        let bytes = try? Files.read(path, limit: 256)
        bootIdentity = bytes.map { String(decoding: $0.filter { $0 != UInt8(ascii: "\n") }, as: UTF8.self) }
    }

    /// `CLOCK_REALTIME`.
    public var wall: Milliseconds { Self.read(CLOCK_REALTIME) }

    /// `CLOCK_BOOTTIME`; on Apple's platforms `CLOCK_MONOTONIC`, which counts sleep there.
    public var monotonic: Milliseconds {
        #if canImport(Darwin)
            Self.read(CLOCK_MONOTONIC)
        #else
            Self.read(CLOCK_BOOTTIME)
        #endif
    }

    /// Waits by the continuous clock, which goes on while the machine sleeps.
    public func sleep(for duration: Milliseconds) async throws {
        try await Task.sleep(for: .milliseconds(duration), clock: .continuous)
    }

    private static func read(_ clock: clockid_t) -> Milliseconds {
        var time = timespec()
        clock_gettime(clock, &time)
        return Milliseconds(time.tv_sec) * 1000 + Milliseconds(time.tv_nsec) / 1_000_000
    }
}
