/// Milliseconds since 1970-01-01T00:00:00Z, as Apple sends times.
public typealias Milliseconds = Int64

/// Bounds and constants of the times in rules.md.
public enum Time {
    /// Dates of signed objects must lie in the years 2000 to 2100 (rules.md R0).
    public static let plausible: ClosedRange<Milliseconds> = 946_684_800_000...4_133_980_799_999
    /// One day of 24 hours.
    public static let day: Milliseconds = 86_400_000
    /// Where arithmetic on dates stops: the end of the year 9999.
    public static let latest: Milliseconds = 253_402_300_799_999
}
