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
        let access = intervals.map(ExplanationWords.interval)
        lines.append("access   " + (access.isEmpty ? "none, ever" : access.suffix(4).joined(separator: "; ")))
        if let choice, let why = ExplanationWords.describes(choice) {
            lines.append("shown    \(choice.id), since \(why) (R4)")
        }
        if let next { lines.append("next     \(Time.people(next.at)): \(next.words)") }
        for (index, change) in possible.prefix(5).enumerated() {
            lines.append((index == 0 ? "if       " : "         ") + change.effect)
        }
        return lines
    }

    private func words(_ begins: Candidate.Beginning, of candidate: Candidate) -> String {
        let bought = candidate.transaction?.purchaseDate.map { ", bought \(Time.people($0))" } ?? ""
        return switch begins.cause {
        case .purchase: "bought"
        case .stacked: "its turn\(bought)"
        case .movedHere: "came here\(bought)"
        case .grant: "granted"
        }
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
            table.add([
                "begins", Time.people(begins.at), words(begins, of: candidate),
                begins.cause.rule,
                ExplanationWords.told(candidate.toldBy),
            ])
        } else if let toldBy = candidate.toldBy {
            let when = candidate.transaction?.purchaseDate ?? candidate.grant?.from
            table.add(["dated", when.map(Time.people) ?? "never", "", "", ExplanationWords.told(toldBy)])
        }
        // In grace the expiry is passed over; all else lies behind the end in force.
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

extension Explanation.TimedChange {
    fileprivate var words: String {
        if isActiveBefore, !after.isActive { return "access ends, if nothing is learned before" }
        if !isActiveBefore, after.isActive { return "access begins" }
        if after.isActive, describesAnother { return "goes on by \(after.transactionId)" }
        if after.state == .inGracePeriod { return "goes on by Apple's grace period" }
        return "the details change, \(after.isActive ? "access goes on" : "still no access")"
    }
}

extension Candidate.Beginning.Cause {
    /// The rule that says so.
    fileprivate var rule: String {
        switch self {
        case .purchase, .stacked: "R2"
        case .movedHere: "R7"
        case .grant: "R4"
        }
    }
}
