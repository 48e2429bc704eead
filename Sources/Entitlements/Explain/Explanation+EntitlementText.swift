extension Explanation.EntitlementReasons {
    /// How many candidates are told in full.
    private static let shown = 8

    /// Why, for people.
    var detail: [String] {
        var lines = ["\(id): \(entry?.state.rawValue ?? "never granted")"]
        lines += summary.map { "  " + $0 }
        for candidate in candidates.prefix(Self.shown) {
            lines.append("  " + title(of: candidate))
            lines += endLines(of: candidate)
        }
        if candidates.count > Self.shown {
            lines.append("  … and \(candidates.count - Self.shown) more, all of less account")
        }
        return lines
    }

    private var summary: [String] {
        var lines: [String] = []
        let access = intervals.map { "\(Time.people($0.start)) to \(Time.people($0.end))" }
        lines.append("access   " + (access.isEmpty ? "none, ever" : access.suffix(4).joined(separator: "; ")))
        if let choice, let why = ExplanationWords.describes(choice) {
            lines.append("told by  \(choice.id): \(why) (R4)")
        }
        if let next { lines.append("next     \(Time.people(next.at)): \(next.words)") }
        for (index, change) in possible.prefix(5).enumerated() {
            lines.append((index == 0 ? "or if    " : "         ") + change.effect)
        }
        return lines
    }

    private func title(of candidate: Candidate) -> String {
        let mark = candidate.id == choice?.id ? ">" : "-"
        var words = ["\(mark) \(candidate.name)", ExplanationWords.standing(candidate.standing)]
        if candidate.transaction?.ownership == .familyShared { words.append("shared by the family") }
        if let nothing = candidate.nothing { words.append(ExplanationWords.nothing(nothing)) }
        if let reason = candidate.grant?.reason { words.append("\"\(reason)\"") }
        return words.joined(separator: ", ")
    }

    private func endLines(of candidate: Candidate) -> [String] {
        var table = TextTable()
        if let begins = candidate.begins {
            table.add([begins.cause.word, Time.people(begins.at), "", "", ExplanationWords.told(candidate.toldBy)])
        } else if let toldBy = candidate.toldBy {
            let when = candidate.transaction?.purchaseDate ?? candidate.grant?.from
            table.add(["dated", when.map(Time.people) ?? "never", "", "", ExplanationWords.told(toldBy)])
        }
        let decisive = candidate.decisiveEnd?.at ?? candidate.end
        for end in candidate.ends {
            let word = end.isDecisive ? "ends" : end.at < (decisive ?? .min) ? "despite" : "else"
            table.add([
                word, Time.people(end.at), ExplanationWords.end(end, of: candidate), end.rule,
                ExplanationWords.told(end.toldBy),
            ])
        }
        if candidate.end == Interval.forever { table.add(["ends", "never", "", "R2", ""]) }
        for word in candidate.takenBack {
            let what = word.cause == .refund ? "refunded" : "expires"
            table.add([
                "no more", Time.people(word.at), what, "R1",
                "\(ExplanationWords.told(word.toldBy)); taken back by \(ExplanationWords.told(word.takenBackBy))",
            ])
        }
        return table.lines(indent: "      ")
    }
}

extension Candidate.Beginning.Cause {
    fileprivate var word: String {
        switch self {
        case .purchase: "begins"
        case .stacked: "its turn"
        case .movedHere: "came here"
        case .grant: "granted"
        }
    }
}

extension Explanation.TimedChange {
    fileprivate var words: String {
        if isActiveBefore, !after.isActive { return "access ends, unless something comes before" }
        if !isActiveBefore, after.isActive { return "access begins" }
        if after.isActive, describesAnother { return "goes on, told by \(after.transactionId)" }
        if after.state == .inGracePeriod { return "goes on by Apple's grace period" }
        return "the details change, \(after.isActive ? "access goes on" : "still no access")"
    }
}
