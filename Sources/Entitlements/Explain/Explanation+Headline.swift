extension Explanation.EntitlementReasons {
    /// The answer in one sentence.
    func headline(at instant: Milliseconds, lineage: (String) -> Explanation.LineageReasons?) -> String {
        guard let entry, let first = candidates.first(where: { $0.id == choice?.id }) else {
            return "\(id) is not active: \(nothingEver)."
        }
        let lineage = first.transaction.flatMap { lineage($0.originalTransactionId) }
        switch entry.state {
        case .active, .inGracePeriod: return "\(id) is active\(active(entry, first, at: instant))."
        case .upcoming:
            return "\(id) is not active yet: \(first.name) begins \(Time.people(first.nextStart(after: instant)))."
        case .inBillingRetry:
            let until = lineage?.watchedUntil
            let trying = until.map { ", and the store goes on trying until about \(Time.people($0))" } ?? ""
            return "\(id) is not active: the renewal of \(first.name) could not be charged\(trying)."
        case .revoked, .expired:
            let away = first.decisiveEnd?.cause == .movedAway ? nil : lineage?.awaySince(instant)
            return "\(id) is not active: \(over(first, movedLater: away))."
        }
    }

    private func active(_ entry: EntitlementEntry, _ first: Candidate, at instant: Milliseconds) -> String {
        let end = intervals.last { $0.contains(instant) }?.end ?? instant
        if end == Interval.forever { return ", for ever, by \(first.name)" }
        if entry.state == .inGracePeriod {
            return " until \(Time.people(end)) by Apple's grace period only: the renewal of \(first.name) "
                + "could not be charged"
        }
        let until = " until \(Time.people(end)), by \(first.name)"
        guard first.transaction?.type == .autoRenewable else { return until }
        // What is set about the renewal says nothing of an end that another grantor or a refund sets.
        guard let decisive = first.decisiveEnd, decisive.at == end, [.expiry, .grace].contains(decisive.cause) else {
            return first.decisiveEnd.flatMap {
                $0.at == end ? "\(until): it \(ExplanationWords.ended($0, of: first)) then" : nil
            }
                ?? until
        }
        switch entry.willRenew {
        case true?: return until + (entry.nextProductId.map { ", then set to renew as \($0)" } ?? ", then set to renew")
        case false?: return until + "; auto-renew is off"
        case nil: return until + "; whether it renews is not known"
        }
    }

    private func over(_ first: Candidate, movedLater: Milliseconds?) -> String {
        guard let end = first.decisiveEnd else { return "\(first.name) is over" }
        let late = end.toldBy.map { $0.learnedAt - end.at >= 60_000 } ?? false
        let learned = late ? " (we learned it \(Time.people(end.toldBy?.learnedAt ?? end.at)))" : ""
        return "\(first.name) \(ExplanationWords.ended(end, of: first)) on \(Time.people(end.at))\(learned)"
            + (movedLater.map { "; what came after belongs to another account since \(Time.people($0))" } ?? "")
    }

    private var nothingEver: String {
        guard let first = candidates.first, let reason = first.nothing else { return "nothing ever granted it" }
        return "\(first.name) gives nothing: \(ExplanationWords.nothing(reason))"
    }
}

extension Candidate {
    fileprivate func nextStart(after instant: Milliseconds) -> Milliseconds {
        intervals.first { $0.start > instant }?.start ?? instant
    }
}
