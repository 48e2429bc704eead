extension CalendarDuration {
    /// Reads an ISO 8601 duration: `P30D`, `P1M`, `P1Y2M`, `P2W`, `P1DT12H`. Nil for anything else, for nothing (`P`,
    /// `P0D`), for a sign or a fraction, and for more than a thousand years.
    public init?(_ text: String) {
        var reader = DurationReader(text)
        guard reader.take("P") else { return nil }
        var months: Int64 = 0
        var milliseconds: Milliseconds = 0
        var isEmpty = true
        for part in Self.parts {
            if part.isTime, !reader.isInTime {
                guard reader.take("T") else { break }
                reader.isInTime = true
                isEmpty = true
            }
            guard let count = reader.count(of: part.letter) else { continue }
            isEmpty = false
            months += count * part.months
            milliseconds += count * part.milliseconds
        }
        guard reader.isAtEnd, !isEmpty, months > 0 || milliseconds > 0 else { return nil }
        guard months <= 12_000, milliseconds <= 366_000 * Time.day else { return nil }
        self.init(months: months, milliseconds: milliseconds)
    }

    private struct Part {
        let letter: Character
        var months: Int64 = 0
        var milliseconds: Milliseconds = 0
        var isTime = false
    }

    private static let parts = [
        Part(letter: "Y", months: 12), Part(letter: "M", months: 1),
        Part(letter: "W", milliseconds: 7 * Time.day), Part(letter: "D", milliseconds: Time.day),
        Part(letter: "H", milliseconds: 3_600_000, isTime: true),
        Part(letter: "M", milliseconds: 60_000, isTime: true),
        Part(letter: "S", milliseconds: 1000, isTime: true),
    ]

    /// The duration as ISO 8601 text; reading it gives the same duration back. Fractions of a second are cut.
    public var text: String {
        var text = "P"
        if months >= 12 { text += "\(months / 12)Y" }
        if months % 12 > 0 { text += "\(months % 12)M" }
        if milliseconds >= Time.day { text += "\(milliseconds / Time.day)D" }
        let seconds = milliseconds % Time.day / 1000
        if seconds > 0 {
            text += "T"
            if seconds >= 3600 { text += "\(seconds / 3600)H" }
            if seconds % 3600 >= 60 { text += "\(seconds % 3600 / 60)M" }
            if seconds % 60 > 0 { text += "\(seconds % 60)S" }
        }
        return text
    }
}

/// Walks the letters of a duration.
private struct DurationReader {
    private var rest: Substring
    var isInTime = false

    init(_ text: String) { rest = text[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ letter: Character) -> Bool {
        guard rest.first == letter else { return false }
        rest.removeFirst()
        return true
    }

    /// A number of at most seven digits before `letter`; nil, and nothing taken, when something else stands here.
    mutating func count(of letter: Character) -> Int64? {
        let digits = rest.prefix { ("0"..."9").contains($0) }
        guard (1...7).contains(digits.count), rest.dropFirst(digits.count).first == letter else { return nil }
        rest = rest.dropFirst(digits.count + 1)
        return Int64(digits)
    }
}
