/// A half-open interval: active at `start`, not at `end` (rules.md).
public struct Interval: Sendable, Hashable {
    /// First instant.
    public var start: Milliseconds
    /// First instant after it; `forever` has none.
    public var end: Milliseconds

    /// Stands for "no end".
    public static let forever = Milliseconds.max

    /// An interval.
    public init(_ start: Milliseconds, _ end: Milliseconds) {
        self.start = start
        self.end = end
    }

    /// Whether an instant lies in it.
    public func contains(_ instant: Milliseconds) -> Bool { start <= instant && instant < end }
    /// An interval that ends where it starts, or before, grants nothing (rules.md R2).
    public var isEmpty: Bool { end <= start }

    func intersection(_ other: Interval) -> Interval { Interval(max(start, other.start), min(end, other.end)) }
}

extension [Interval] {
    /// The union, ascending; parts that touch are one.
    public func union() -> [Interval] {
        var result: [Interval] = []
        for part in filter({ !$0.isEmpty }).sorted(by: { ($0.start, $0.end) < ($1.start, $1.end) }) {
            if let last = result.last, part.start <= last.end {
                result[result.count - 1].end = Swift.max(last.end, part.end)
            } else {
                result.append(part)
            }
        }
        return result
    }
}
