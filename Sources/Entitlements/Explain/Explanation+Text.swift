extension Explanation {
    /// For people on support duty: the answer in a sentence, then why, then the details. Times are UTC. `entitlement` leaves
    /// the others out.
    public func text(only entitlement: String? = nil) -> String {
        let shown = entitlements.filter { entitlement == nil || $0.id == entitlement }
        var lines: [String] = []
        if let erasedAt { lines.append("This account was erased on \(Time.people(erasedAt)).") }
        for reasons in shown {
            lines.append(reasons.headline(at: snapshot.asOf) { id in lineages.first { $0.id == id } })
        }
        if entitlement == nil {
            for balance in balances { lines.append("The balance of \(balance.currency) is \(balance.amount).") }
        }
        if lines.isEmpty { lines.append(emptyAnswer(entitlement)) }
        lines.append(contentsOf: warnings)
        lines += ["", question]
        for reasons in shown { lines += [""] + reasons.detail }
        if entitlement == nil { lines += otherLines + balanceLines }
        lines += lineageLines
        return lines.joined(separator: "\n") + "\n"
    }

    private func emptyAnswer(_ entitlement: String?) -> String {
        let subject = entitlement.map { "\($0) is not active: nothing" } ?? "Nothing"
        return "\(subject) is known of this account: no transaction is bound to it and no operator granted anything.\n"
            + "A device that pushes what belongs to another account is told so (belongsToAnotherAccount), and nothing "
            + "is kept here;\nwhat belongs to nobody is listed as unclaimed."
    }

    private var question: String {
        var words = ["Asked for \(Time.people(snapshot.asOf)) UTC"]
        if let knownAt { words.append("with what was known \(Time.people(knownAt))") }
        words.append("\(snapshot.bundleId) \(snapshot.environment)")
        words.append("account \(snapshot.account)")
        words.append("version \(snapshot.version)")
        return words.joined(separator: ", ") + "."
    }

    private var warnings: [String] {
        var reasons: [String] = []
        guard snapshot.needsReconciliation else { return [] }
        for id in lineages.flatMap(\.withoutSuccessor) {
            reasons.append("\(id) was replaced, and by what is not known")
        }
        let candidates = entitlements.flatMap(\.candidates) + others
        for id in Set(candidates.filter { $0.nothing == .noReadableEnd }.map(\.id)).sorted() {
            reasons.append("\(id) has no readable end")
        }
        for line in balances.flatMap(\.lines) {
            if let words = line.faultWords {
                reasons.append("\(line.entry.transactionId ?? line.entry.word): \(words)")
            }
        }
        return ["The store should be asked (needsReconciliation): \(reasons.joined(separator: "; "))."]
    }

    private var otherLines: [String] {
        let shown = others.filter { $0.nothing != .consumable }
        guard !shown.isEmpty else { return [] }
        return ["", "Concerns no entitlement"]
            + shown.map { candidate in
                "  \(candidate.name): "
                    + (candidate.nothing.map { "gives nothing, \(ExplanationWords.nothing($0))" }
                        ?? "its product unlocks nothing in the catalog")
            }
    }

    private var balanceLines: [String] {
        balances.flatMap { balance in
            var table = TextTable()
            for line in balance.lines {
                var words = [line.entry.word]
                if let id = line.entry.transactionId { words.append(id) }
                if case .spend(let spend, _) = line.entry { words.append("key \(spend.idempotencyKey)") }
                if line.shortfall > 0 { words.append("(\(line.shortfall) more were owed and not there)") }
                if let fault = line.faultWords { words.append("(\(fault))") }
                table.add([
                    Time.people(line.entry.at), "\(line.change >= 0 ? "+" : "")\(line.change)", "= \(line.balance)",
                    words.joined(separator: " "),
                ])
            }
            return ["", "Balance of \(balance.currency): \(balance.amount)"] + table.lines(indent: "  ")
        }
    }
}
