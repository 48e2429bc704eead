extension Explanation {
    /// Whose every lineage is, and what came too late to count, for people.
    var lineageLines: [String] {
        var owners = TextTable()
        for lineage in lineages {
            for (index, owner) in lineage.owners.enumerated() {
                owners.add([
                    index == 0 ? lineage.id : "", "from \(Time.people(owner.span.start))", name(of: owner.span.owner),
                    ExplanationWords.ownerCause(owner.span.cause), ExplanationWords.told(owner.toldBy),
                ])
            }
        }
        var lines: [String] = []
        if !lineages.isEmpty { lines += ["", "Whose it is (R7)"] + owners.lines(indent: "  ") }
        let renewals = lineages.flatMap(\.renewalLines)
        if !renewals.isEmpty { lines += ["", "Renewal"] + renewals }
        let outdated = lineages.flatMap { $0.outdated.map(\.line) }
        if !outdated.isEmpty { lines += ["", "Came later than newer words, and changed nothing (R1)"] + outdated }
        let unknown = lineages.flatMap(\.unknown).map { "  \(ExplanationWords.told($0)): kept, decides nothing" }
        if !unknown.isEmpty { lines += ["", "Words of Apple's that are not known here (R8)"] + unknown }
        return lines
    }

    private func name(of owner: AccountID?) -> String {
        guard let owner else { return "nobody" }
        return owner == snapshot.account ? "this account" : "another account, \(owner.short)"
    }
}

extension Explanation.LineageReasons {
    fileprivate var renewalLines: [String] {
        guard let renewalInfo else { return [] }
        var words: [String] = []
        switch renewalInfo.autoRenewStatus {
        case true?: words.append("set to renew" + (renewalInfo.autoRenewProductId.map { " as \($0)" } ?? ""))
        case false?: words.append("auto-renew is off")
        case nil: words.append("not said whether it renews")
        }
        if renewalInfo.isInBillingRetryPeriod { words.append("the store is trying to charge") }
        if let grace = renewalInfo.gracePeriodExpiresDate { words.append("grace until \(Time.people(grace))") }
        if let watchedUntil { words.append("watched until \(Time.people(watchedUntil))") }
        return ["  \(id)  \(words.joined(separator: ", "))  (\(ExplanationWords.told(renewalToldBy)))"]
    }
}

extension Explanation.OutdatedFact {
    fileprivate var line: String {
        let object = isRenewalInfo ? "renewal info" : "transaction"
        let signed = signedDate == unsignedDate ? "not dated" : "signed \(Time.people(signedDate))"
        let newer = Time.people(newerSignedDate)
        // Signed at one instant, the content decides: a refund goes first, then an upgrade (rules.md R1).
        let why = signedDate == newerSignedDate ? "as is the one that goes first" : "older than the one of \(newer)"
        return "  \(ExplanationWords.told(event)): its \(object) is \(signed), \(why)"
    }
}
