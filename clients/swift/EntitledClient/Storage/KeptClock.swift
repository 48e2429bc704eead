import Entitlements

/// The trusted clock (rules.md R11) with what it takes to go on after a restart. It is kept beside the signed snapshot,
/// and believed only in one direction: it can make the trusted time later than the signed time, never earlier.
struct KeptClock: Sendable, Hashable {
    private(set) var trusted: TrustedClock
    /// Which start of the device the monotonic clock counts from.
    private var boot: String?

    /// A fetch.
    init(serverTime: Milliseconds, by clock: any DeviceClock) {
        trusted = TrustedClock(serverTime: serverTime, wall: clock.wall, monotonic: clock.monotonic)
        boot = clock.bootIdentity
    }

    /// Without anything kept: the wall clock is taken at its word, as if it had been right at the fetch.
    init(guessing serverTime: Milliseconds, by clock: any DeviceClock) {
        trusted = TrustedClock(
            serverTime: serverTime, wallAtFetch: serverTime, highestWall: serverTime, lastWall: serverTime, elapsed: 0,
            lastMonotonic: clock.monotonic)
        boot = clock.bootIdentity
        observe(clock)
    }

    /// Looks at the device's clocks.
    mutating func observe(_ clock: any DeviceClock) {
        let identity = clock.bootIdentity
        if let identity, let boot, identity != boot {
            trusted.rebooted(wall: clock.wall, monotonic: clock.monotonic)
        } else {
            trusted.observe(wall: clock.wall, monotonic: clock.monotonic)
        }
        boot = identity
    }
}

extension KeptClock {
    private static let format: Int64 = 1

    /// Reads a file's bytes; nil when they are not what `bytes` writes.
    init?(bytes: [UInt8]) {
        guard let object = (try? JSONValue(parsing: bytes))?.objectValue, object["format"]?.integerValue == Self.format,
            let serverTime = object["serverTime"]?.integerValue, Time.plausible.contains(serverTime),
            let wallAtFetch = object["wallAtFetch"]?.integerValue,
            let highestWall = object["highestWall"]?.integerValue, let lastWall = object["lastWall"]?.integerValue,
            let elapsed = object["elapsed"]?.integerValue, let lastMonotonic = object["lastMonotonic"]?.integerValue
        else { return nil }
        trusted = TrustedClock(
            serverTime: serverTime, wallAtFetch: wallAtFetch, highestWall: highestWall, lastWall: lastWall,
            elapsed: elapsed, lastMonotonic: lastMonotonic)
        boot = object["boot"]?.stringValue
    }

    var bytes: [UInt8] {
        var writer = JSONWriter(capacity: 256)
        writer.object { writer in
            writer.member("format", Self.format)
            writer.member("serverTime", trusted.serverTime)
            writer.member("wallAtFetch", trusted.wallAtFetch)
            writer.member("highestWall", trusted.highestWall)
            writer.member("lastWall", trusted.lastWall)
            writer.member("elapsed", trusted.elapsed)
            writer.member("lastMonotonic", trusted.lastMonotonic)
            writer.member("boot", boot)
        }
        return writer.bytes
    }
}
