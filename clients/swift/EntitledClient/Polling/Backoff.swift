import Entitlements

/// How long to wait after failures: full jitter over a bound that doubles from half a second to a minute.
struct Backoff: Sendable, Hashable {
    private(set) var failures = 0

    static let first: Milliseconds = 500
    static let most: Milliseconds = 60_000

    /// The wait after one more failure, never below what the service asked for. `jitter` is in `[0, 1)`.
    mutating func next(jitter: Double, atLeast floor: Milliseconds = 0) -> Milliseconds {
        let bound = min(Self.most, Self.first << Milliseconds(min(failures, 10)))
        failures += 1
        // What the service asks for is spread as well, or all clients come back together.
        return floor + Milliseconds(Double(bound) * jitter)
    }

    /// Counts a failure without waiting by it.
    mutating func count() { failures += 1 }

    mutating func reset() { failures = 0 }
}
