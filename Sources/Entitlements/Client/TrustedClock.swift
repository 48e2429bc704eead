/// What time it is, on a device whose wall clock cannot be trusted (rules.md R11): the server's time at the last fetch, plus
/// the greater of what the monotonic clock and what the wall clock say has passed since. A wall clock set back never
/// helps, and one that was wrong from the start does no harm. Keep all fields: they hold over restarts and reboots.
public struct TrustedClock: Sendable, Hashable {
    /// The server's time at the last fetch.
    public private(set) var serverTime: Milliseconds
    /// What the wall clock showed at that fetch.
    public private(set) var wallAtFetch: Milliseconds
    /// The latest the wall clock has shown since that fetch.
    public private(set) var highestWall: Milliseconds
    /// What the wall clock showed last.
    public private(set) var lastWall: Milliseconds
    /// Monotonic time since that fetch, as far as it has been seen; kept over reboots.
    public private(set) var elapsed: Milliseconds
    /// What the monotonic clock showed last.
    public private(set) var lastMonotonic: Milliseconds

    /// A fetch: the server's time counts, and everything before is forgotten.
    public init(serverTime: Milliseconds, wall: Milliseconds, monotonic: Milliseconds) {
        self.serverTime = serverTime
        wallAtFetch = wall
        highestWall = wall
        lastWall = wall
        elapsed = 0
        lastMonotonic = monotonic
    }

    /// A clock as it was kept.
    public init(
        serverTime: Milliseconds, wallAtFetch: Milliseconds, highestWall: Milliseconds, lastWall: Milliseconds,
        elapsed: Milliseconds, lastMonotonic: Milliseconds
    ) {
        self.serverTime = serverTime
        self.wallAtFetch = wallAtFetch
        self.highestWall = max(highestWall, wallAtFetch)
        self.lastWall = lastWall
        self.elapsed = max(elapsed, 0)
        self.lastMonotonic = lastMonotonic
    }

    /// A fetch: the server's time counts, and everything before is forgotten.
    public mutating func fetched(serverTime: Milliseconds, wall: Milliseconds, monotonic: Milliseconds) {
        self = TrustedClock(serverTime: serverTime, wall: wall, monotonic: monotonic)
    }

    /// Looks at both clocks. A monotonic clock behind the last look has started anew, even if nobody said so.
    public mutating func observe(wall: Milliseconds, monotonic: Milliseconds) {
        guard monotonic >= lastMonotonic else { return rebooted(wall: wall, monotonic: monotonic) }
        let (passed, overflow) = monotonic.subtractingReportingOverflow(lastMonotonic)
        advance(by: overflow ? .max : passed, wall: wall, monotonic: monotonic)
    }

    /// The first look after the device has started anew: its monotonic clock counts from that start.
    public mutating func rebooted(wall: Milliseconds, monotonic: Milliseconds) {
        advance(by: monotonic, wall: wall, monotonic: monotonic)
    }

    private mutating func advance(by passed: Milliseconds, wall: Milliseconds, monotonic: Milliseconds) {
        elapsed = elapsed.addingClamped(max(passed, 0))
        lastMonotonic = monotonic
        lastWall = wall
        highestWall = max(highestWall, wall)
    }

    /// The trusted time at the last look; never before `serverTime`.
    public var now: Milliseconds {
        let (byWall, overflow) = highestWall.subtractingReportingOverflow(wallAtFetch)
        return serverTime.addingClamped(max(elapsed, overflow ? .max : byWall))
    }

    /// Whether the wall clock showed less at the last look than it had since the fetch.
    public var isRolledBack: Bool { lastWall < highestWall }
}

extension Milliseconds {
    /// A sum that stops at the ends of 64 bits: a broken clock must not end the process.
    func addingClamped(_ other: Milliseconds) -> Milliseconds {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }
}
