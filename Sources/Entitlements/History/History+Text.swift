extension History {
    /// A table for people, one line an event, times in UTC.
    public var text: String {
        guard !entries.isEmpty else { return "Nothing is known of this account.\n" }
        var table = TextTable()
        table.add(["#", "happened (UTC)", "learned", "what", "product", "transaction", "how we know"])
        for entry in entries {
            table.add([
                "\(entry.version)", Time.people(entry.effectiveAt), entry.delay, entry.type.rawValue,
                entry.productId ?? entry.entitlement ?? "",
                entry.transactionId ?? entry.originalTransactionId ?? entry.grantId ?? "", entry.origin,
            ])
        }
        return table.lines().joined(separator: "\n") + "\n"
    }
}

extension HistoryEntry {
    /// How long after it happened we learned it, and when the account did if that is later.
    fileprivate var delay: String {
        let late = learnedAt - effectiveAt
        let learned = late < 0 ? "before" : late == 0 ? "at once" : "+\(Time.length(late))"
        return recordedAt == learnedAt ? learned : "\(learned), here \(Time.people(recordedAt))"
    }

    fileprivate var origin: String {
        var words = [appleName ?? source.rawValue]
        if let reason, !words[0].lowercased().contains(reason) { words.append(reason) }
        if let transferredTo { words.append("to \(transferredTo.short)") }
        for line in balanceChanges {
            let fault = line.faultWords.map { ", \($0)" } ?? ""
            words.append("\(line.currency) \(line.change >= 0 ? "+" : "")\(line.change) = \(line.balance)\(fault)")
        }
        if isOutdated { words.append("older than what was known, changed nothing") }
        return words.joined(separator: ", ")
    }

    /// Apple's type and subtype, if a notification told it.
    var appleName: String? {
        notificationType.map { type in subtype.map { "\(type)/\($0)" } ?? type }
    }
}

extension AccountID {
    /// Enough of it to tell accounts apart on one page.
    var short: String { String(description.prefix(8)) }
}
