public import Entitlements

/// Lengths of time as people write them on a command line: `45s`, `30m`, `1h`, `7d`.
public enum Lifetime {
    private static let units: [Character: Milliseconds] = ["s": 1000, "m": 60_000, "h": 3_600_000, "d": Time.day]
    /// Ten years.
    private static let longest: Milliseconds = 3650 * Time.day

    /// The time a text stands for; nil unless it is a positive whole number and a unit, and at most ten years.
    public static func parse(_ text: String) -> Milliseconds? {
        guard let unit = text.last.flatMap({ units[$0] }), text.utf8.count < 12,
            text.dropLast().allSatisfy({ $0.isASCII && $0.isNumber }), let count = Int64(text.dropLast())
        else { return nil }
        let (time, overflow) = count.multipliedReportingOverflow(by: unit)
        return overflow || time <= 0 || time > longest ? nil : time
    }
}
