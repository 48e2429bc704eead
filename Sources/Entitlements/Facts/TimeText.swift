extension Time {
    /// Reads an instant in ISO 8601 with a zone: `2026-06-01T10:00:00.000Z`, `2026-06-01T12:00+02:00`. Nil for anything
    /// else, for a day that the month lacks, and for more than milliseconds.
    public static func instant(_ text: String) -> Milliseconds? {
        var reader = InstantReader(text)
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
            let day = reader.number(2), reader.take("T") || reader.take("t"),
            let hour = reader.number(2), reader.take(":"), let minute = reader.number(2)
        else { return nil }
        var second: Int64 = 0
        var fraction: Int64 = 0
        if reader.take(":") {
            guard let read = reader.number(2) else { return nil }
            second = read
            if reader.take(".") {
                guard let read = reader.fraction() else { return nil }
                fraction = read
            }
        }
        guard let offset = reader.offset(), reader.isAtEnd, year > 0, (1...12).contains(month),
            day > 0, day <= CivilDate.length(ofMonth: month, year: year), hour < 24, minute < 60, second < 60
        else { return nil }
        let minutes = hour * 60 + minute - offset
        return CivilDate.day(year: year, month: month, day: day) * Time.day + (minutes * 60 + second) * 1000 + fraction
    }

    /// An instant as `2026-06-01T10:00:00.000Z`; outside the years 1 to 9999 the number itself.
    public static func text(_ instant: Milliseconds) -> String {
        let first: Milliseconds = -62_135_596_800_000
        guard (first...Time.latest).contains(instant) else { return "\(instant)" }
        // Counted from year 1, so that the division never meets a negative number.
        let days = (instant - first) / Time.day
        let date = CivilDate.date(ofDay: days + first / Time.day)
        let milliseconds = (instant - first) % Time.day
        func padded(_ number: Int64, _ width: Int) -> String {
            let digits = "\(number)"
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let seconds = milliseconds / 1000
        return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))T\(padded(seconds / 3600, 2)):"
            + "\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2)).\(padded(milliseconds % 1000, 3))Z"
    }
}

/// Walks the characters of an instant's text.
private struct InstantReader {
    private var rest: Substring

    init(_ text: String) { rest = text[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ character: Character) -> Bool {
        guard rest.first == character else { return false }
        rest.removeFirst()
        return true
    }

    /// Exactly that many digits.
    mutating func number(_ width: Int) -> Int64? {
        let digits = rest.prefix(width)
        guard digits.utf8.count == width, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        rest = rest.dropFirst(width)
        return Int64(digits)
    }

    /// One to three digits behind the point, as milliseconds.
    mutating func fraction() -> Int64? {
        let width = rest.utf8.prefix { (48...57).contains($0) }.count
        guard (1...3).contains(width), let number = number(width) else { return nil }
        return width == 1 ? number * 100 : width == 2 ? number * 10 : number
    }

    /// `Z`, or `+02:00`; minutes.
    mutating func offset() -> Int64? {
        if take("Z") || take("z") { return 0 }
        let isNegative = take("-")
        guard isNegative || take("+"), let hours = number(2), take(":"), let minutes = number(2), hours < 24,
            minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * (isNegative ? -1 : 1)
    }
}
