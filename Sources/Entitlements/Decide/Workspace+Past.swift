extension Workspace {
    /// Brings a lineage's past into the stream of an account that becomes a party to it: the events known so far and, since
    /// later copies are ordered against them too, the signing dates of copies that made no event (rules.md R1).
    mutating func copyPast(_ past: [Event], of lineage: Lineage?, to target: StreamRef, at now: Milliseconds) {
        for event in past { append(event.copied(at: now), to: target) }
        guard let lineage else { return }
        for (id, facts) in lineage.transactions.sorted(by: { $0.key < $1.key }) {
            let known = states[target]?.lineages[lineage.id]?.transactions[id]?.copies ?? []
            for copy in facts.copies {
                for date in copy.dates(missingIn: known) {
                    var transaction = copy.transaction
                    transaction.signedDate = date
                    note(SigningNote(object: .transaction(transaction), recordedAt: now), in: target)
                }
            }
        }
        let known = states[target]?.lineages[lineage.id]?.renewals ?? []
        for copy in lineage.renewals {
            for date in copy.dates(missingIn: known) {
                var renewalInfo = copy.renewalInfo
                renewalInfo.signedDate = date
                note(SigningNote(object: .renewalInfo(renewalInfo), recordedAt: now), in: target)
            }
        }
    }
}

extension SignedCopy {
    /// The dates of this content that a stream which has its events does not know.
    fileprivate func dates(missingIn known: [Self]) -> [Milliseconds] {
        guard let same = known.first(where: { $0.content == content }) else { return [] }
        return [firstSigned, lastSigned].filter { !(same.firstSigned...same.lastSigned).contains($0) }
    }
}
