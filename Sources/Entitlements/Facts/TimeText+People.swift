extension Time {
    /// An instant for people, in UTC: `2026-06-01 10:00`, with seconds and milliseconds only where there are some.
    public static func people(_ instant: Milliseconds) -> String {
        if instant == .min { return "the beginning" }
        if instant == Interval.forever { return "for ever" }
        let text = Time.text(instant)
        guard text.hasSuffix("Z"), text.utf8.count == 24 else { return text }
        let day = text.prefix(10)
        let clock = text.dropFirst(11).dropLast()
        if clock.hasSuffix(":00.000") { return "\(day) \(clock.prefix(5))" }
        return clock.hasSuffix(".000") ? "\(day) \(clock.prefix(8))" : "\(day) \(clock)"
    }

    /// A span of time for people, in its greatest unit: `5 s`, `3 h`, `40 days`.
    static func length(_ span: Milliseconds) -> String {
        switch span {
        case ..<1000: "\(span) ms"
        case ..<60_000: "\(span / 1000) s"
        case ..<3_600_000: "\(span / 60_000) min"
        case ..<(2 * day): "\(span / 3_600_000) h"
        default: "\(span / day) days"
        }
    }
}
