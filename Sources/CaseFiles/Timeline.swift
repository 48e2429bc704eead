public import Entitlements

/// How a timeline is drawn.
public struct TimelineStyle: Sendable, Hashable {
    /// Columns in all.
    public var width = 100
    /// Whether the terminal shows UTF-8; else plain ASCII.
    public var isUnicode = true
    /// Whether escape sequences for colour may be used.
    public var hasColour = false

    /// The defaults.
    public init() {}
}

/// A picture of an account's access: for every entitlement the union, and under it each grantor with what ended it.
public struct Timeline {
    /// The picture, top to bottom.
    public let lines: [String]

    /// Draws. `now` is marked.
    public init(_ derivation: Derivation, now: Milliseconds, style: TimelineStyle = TimelineStyle()) {
        let unions = derivation.intervals()
        guard !unions.isEmpty else {
            lines = ["nothing has ever granted this account anything"]
            return
        }
        let grantors = derivation.grantors
        let labels = unions.keys.map(\.count) + grantors.map { Self.label($0, style).count + 2 }
        let labelWidth = min(labels.max() ?? 0, max(12, style.width / 3))
        let scale = TimelineScale(
            instants: grantors.flatMap(\.intervals).flatMap { [$0.start, $0.end] } + [now],
            columns: max(20, style.width - labelWidth - 1))
        let drawing = TimelineDrawing(scale: scale, now: now, style: style)
        var lines: [String] = []
        func line(_ label: String, _ picture: String) {
            lines.append(label.prefix(labelWidth).padded(to: labelWidth) + " " + picture)
        }
        line("", drawing.ruler)
        for entitlement in unions.keys.sorted() {
            line(entitlement, drawing.union(unions[entitlement] ?? []))
            for grantor in grantors where grantor.entitlements.contains(entitlement) {
                line("  " + Self.label(grantor, style), drawing.grantor(grantor))
            }
        }
        line("", drawing.nowRow)
        self.lines = lines + [drawing.legend]
    }

    private static func label(_ grantor: Grantor, _ style: TimelineStyle) -> String {
        switch grantor.origin {
        case .transaction(let transaction, _):
            "\(transaction.productId) \(style.isUnicode ? "…" : "..")\(transaction.transactionId.suffix(4))"
        case .grant(let grant, _, _): "grant \(grant.id)"
        }
    }
}

/// Which column an instant has.
struct TimelineScale {
    let first: Milliseconds
    let last: Milliseconds
    let columns: Int

    /// A scale from the earliest to the latest of these instants; what is for ever goes on to the right edge.
    init(instants: [Milliseconds], columns: Int) {
        let finite = instants.filter { $0 != Interval.forever }
        let earliest = finite.min() ?? 0
        let latest = max(finite.max() ?? 0, earliest + 1)
        first = earliest
        // Room behind the last instant shows that something goes on, or does not.
        last = latest + max(1, (latest - earliest) / 20)
        self.columns = columns
    }

    func column(_ instant: Milliseconds) -> Int {
        guard instant < last else { return columns }
        guard instant > first else { return 0 }
        return Int(Double(instant - first) / Double(last - first) * Double(columns))
    }
}

/// Draws rows of a timeline.
struct TimelineDrawing {
    let scale: TimelineScale
    let now: Milliseconds
    let style: TimelineStyle

    private func mark(_ unicode: Character, _ ascii: Character) -> Character { style.isUnicode ? unicode : ascii }

    /// The first and the last day that the picture shows.
    var ruler: String {
        let (left, right) = (Time.text(scale.first).prefix(10), Time.text(scale.last).prefix(10))
        return left + String(repeating: " ", count: max(1, scale.columns - left.count - right.count)) + right
    }

    /// Where "now" is.
    var nowRow: String {
        let text = " now \(Time.text(now))"
        let column = min(scale.column(now), scale.columns - 1)
        let spaces = String(repeating: " ", count: column)
        let pointer = String(mark("▲", "^"))
        return column + text.count < scale.columns
            ? spaces + pointer + text
            : String(repeating: " ", count: max(0, column - text.count)) + text.dropFirst() + " " + pointer
    }

    /// What the marks mean.
    var legend: String {
        style.isUnicode
            ? "█ access  ─ a grantor  ┄ grace  ┤ expiry  ✗ refund or taken back  ↑ upgrade  │ next period  ▶ for ever"
            : "# access  - a grantor  ~ grace  ] expiry  x refund or taken back  ^ upgrade  | next period  > for ever"
    }

    /// The row of an entitlement.
    func union(_ intervals: [Interval]) -> String {
        var row = Row(columns: scale.columns)
        for interval in intervals { fill(&row, interval, with: mark("█", "#")) }
        return coloured(row, 32)
    }

    /// The row of one grantor.
    func grantor(_ grantor: Grantor) -> String {
        var row = Row(columns: scale.columns)
        for interval in grantor.intervals {
            fill(&row, Interval(interval.start, min(interval.end, grantor.regularEnd)), with: mark("─", "-"))
            if interval.end > grantor.regularEnd {
                fill(&row, Interval(max(interval.start, grantor.regularEnd), interval.end), with: mark("┄", "~"))
            }
        }
        if let bound = grantor.bounds.first, bound.at != Interval.forever {
            row.put(endMark(bound.cause), at: max(scale.column(bound.at) - 1, 0))
        }
        return coloured(row, 36)
    }

    private func fill(_ row: inout Row, _ interval: Interval, with character: Character) {
        guard !interval.isEmpty else { return }
        let start = scale.column(interval.start)
        // However short, what was there is seen.
        let end = max(scale.column(interval.end), start + 1)
        for column in start..<end { row.put(character, at: column) }
        if interval.end == Interval.forever { row.put(mark("▶", ">"), at: scale.columns - 1) }
    }

    private func endMark(_ cause: Grantor.Cause) -> Character {
        switch cause {
        case .expiry, .duration, .grantEnd: mark("┤", "]")
        case .refund, .grantRevoked: mark("✗", "x")
        case .upgraded: mark("↑", "^")
        case .nextPeriod: mark("│", "|")
        }
    }

    private func coloured(_ row: Row, _ colour: Int) -> String {
        style.hasColour ? "\u{1B}[\(colour)m\(row.text)\u{1B}[0m" : row.text
    }

    /// A row of characters.
    private struct Row {
        private var cells: [Character]

        init(columns: Int) { cells = Array(repeating: " ", count: columns) }

        mutating func put(_ character: Character, at column: Int) {
            if cells.indices.contains(column) { cells[column] = character }
        }

        /// Without the blanks at the end.
        var text: String { String(cells[..<(cells.lastIndex { $0 != " " }.map { $0 + 1 } ?? 0)]) }
    }
}

extension Substring {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, width - count))
    }
}
