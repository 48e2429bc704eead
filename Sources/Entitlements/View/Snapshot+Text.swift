extension Snapshot {
    /// What the account has, for people: one line an entitlement, then balances. Times are UTC.
    public var text: String {
        var lines = [
            "Account \(account) of \(bundleId) in \(environment), version \(version), on \(Time.people(asOf)):"
        ]
        var table = TextTable()
        for entry in entitlements {
            table.add([
                entry.id, entry.isActive ? "active" : "not active", entry.situation(at: asOf),
                entry.productId ?? "given by an operator", entry.transactionId,
            ])
        }
        lines += entitlements.isEmpty ? ["  nothing ever granted an entitlement"] : table.lines(indent: "  ")
        for (currency, amount) in balances.sorted(by: { $0.key < $1.key }) { lines.append("  \(currency): \(amount)") }
        if let nextChangeAt { lines.append("  changes by time alone on \(Time.people(nextChangeAt))") }
        if needsReconciliation {
            lines.append("  the store should be asked: something it said is missing here, or makes no sense")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension EntitlementEntry {
    /// Its state and what is to come.
    fileprivate func situation(at instant: Milliseconds) -> String {
        var words = [state.words]
        if let end = activeIntervals.last?.end {
            words.append(end == Interval.forever ? "for ever" : "until \(Time.people(end))")
        } else if let end = revocationDate ?? expiresDate, end <= instant {
            // What moved to another account ended before its signed end, which says nothing then.
            words.append("since \(Time.people(end))")
        }
        switch willRenew {
        case true?: words.append("renews")
        case false?: words.append("does not renew")
        case nil: break
        }
        return words.joined(separator: ", ")
    }
}

extension EntitlementEntry.State {
    fileprivate var words: String {
        switch self {
        case .upcoming: "upcoming"
        case .active: "valid"
        case .inGracePeriod: "in the grace period"
        case .revoked: "refunded or revoked"
        case .inBillingRetry: "the store tries to charge"
        case .expired: "over"
        }
    }
}
