extension Explanation {
    /// Writes the explanation for machines; `entitlement` leaves the other entitlements out.
    public func write(to writer: inout JSONWriter, only entitlement: String? = nil) {
        writer.object { writer in
            writer.name("snapshot")
            snapshot.write(to: &writer)
            writer.member("knownAt", knownAt)
            writer.member("erasedAt", erasedAt)
            writer.list("entitlements", entitlements.filter { entitlement == nil || $0.id == entitlement }) {
                let headline = $1.headline(at: snapshot.asOf) { id in lineages.first { $0.id == id } }
                $1.write(to: &$0, headline: headline)
            }
            writer.list("others", entitlement == nil ? others : []) { $1.write(to: &$0) }
            writer.list("lineages", lineages) { $1.write(to: &$0) }
            writer.list("balances", balances) { $1.write(to: &$0) }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func list<Element>(
        _ name: String, _ elements: [Element], _ write: (inout JSONWriter, Element) -> Void
    ) {
        self.name(name)
        array { writer in
            for element in elements { write(&writer, element) }
        }
    }

    fileprivate mutating func told(_ name: String, _ entry: HistoryEntry?) {
        self.name(name)
        if let entry { entry.write(to: &self, for: .support) } else { null() }
    }
}

extension Explanation.EntitlementReasons {
    fileprivate func write(to writer: inout JSONWriter, headline: String) {
        writer.object { writer in
            writer.member("id", id)
            writer.member("headline", headline)
            writer.member("isActive", entry?.isActive ?? false)
            writer.member("state", entry?.state.rawValue)
            writer.list("intervals", intervals) { $0.interval($1) }
            writer.member("describedBy", choice?.id)
            writer.member("describesBecause", choice?.criterion)
            writer.member("runnerUp", choice?.runnerUp)
            writer.member("describesPhrase", choice.flatMap(ExplanationWords.describes))
            writer.list("candidates", candidates) { $1.write(to: &$0) }
            writer.name("next")
            if let next { next.write(to: &writer) } else { writer.null() }
            writer.list("possible", possible) { writer, change in
                writer.object { writer in
                    writer.member("kind", change.kind.rawValue)
                    writer.member("subject", change.subject)
                    writer.member("effect", change.effect)
                }
            }
        }
    }
}

extension Explanation.TimedChange {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("at", at)
            writer.member("isActiveBefore", isActiveBefore)
            writer.member("isActiveAfter", after.isActive)
            writer.member("stateAfter", after.state.rawValue)
            writer.member("describedByAfter", after.transactionId)
        }
    }
}

extension Candidate {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", id)
            writer.member("kind", grant == nil ? "transaction" : "grant")
            writer.member("originalTransactionId", transaction?.originalTransactionId)
            writer.member("productId", transaction?.productId)
            writer.member("productType", transaction?.type.rawValue)
            writer.member("ownershipType", transaction?.ownership.rawValue)
            writer.member("purchaseDate", transaction?.purchaseDate)
            writer.member("standing", standing.rawValue)
            writer.member("nothingBecause", nothing?.rawValue)
            writer.member("nothingPhrase", nothing.map(ExplanationWords.nothing))
            writer.list("intervals", intervals) { $0.interval($1) }
            writer.member("beginsBy", begins?.cause.rawValue)
            writer.told("toldBy", toldBy)
            writer.list("ends", ends) { writer, end in
                writer.object { writer in
                    writer.member("at", end.at)
                    writer.member("cause", end.cause.rawValue)
                    writer.member("phrase", ExplanationWords.end(end, of: self))
                    writer.member("rule", end.rule)
                    writer.member("by", end.by)
                    writer.member("byProductId", end.byProductId)
                    writer.member("isDecisive", end.isDecisive)
                    writer.told("toldBy", end.toldBy)
                }
            }
            writer.list("takenBack", takenBack) { writer, word in
                writer.object { writer in
                    writer.member("cause", word.cause.rawValue)
                    writer.member("at", word.at)
                    writer.told("toldBy", word.toldBy)
                    writer.told("takenBackBy", word.takenBackBy)
                }
            }
        }
    }
}

extension Explanation.LineageReasons {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("originalTransactionId", id)
            writer.list("owners", owners) { writer, owner in
                writer.object { writer in
                    writer.member("from", owner.span.start == .min ? nil : owner.span.start)
                    writer.member("account", owner.span.owner?.description)
                    writer.member("cause", owner.span.cause.rawValue)
                    writer.told("toldBy", owner.toldBy)
                }
            }
            writer.name("renewal")
            if let renewalInfo {
                writer.object { writer in
                    writer.member("autoRenewStatus", renewalInfo.autoRenewStatus)
                    writer.member("autoRenewProductId", renewalInfo.autoRenewProductId)
                    writer.member("isInBillingRetryPeriod", renewalInfo.isInBillingRetryPeriod)
                    writer.member("gracePeriodExpiresDate", renewalInfo.gracePeriodExpiresDate)
                    writer.member("watchedUntil", watchedUntil)
                    writer.told("toldBy", renewalToldBy)
                }
            } else {
                writer.null()
            }
            writer.list("outdated", outdated) { writer, fact in
                writer.object { writer in
                    writer.member("object", fact.isRenewalInfo ? "renewalInfo" : "transaction")
                    writer.member("signedDate", fact.signedDate == unsignedDate ? nil : fact.signedDate)
                    writer.member("newerSignedDate", fact.newerSignedDate)
                    writer.told("toldBy", fact.event)
                }
            }
            writer.list("withoutSuccessor", withoutSuccessor) { $0.string($1) }
            writer.list("unknown", unknown) { $1.write(to: &$0, for: .support) }
        }
    }
}

extension Explanation.BalanceReasons {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("currency", currency)
            writer.member("amount", amount)
            writer.member("shortfall", shortfall)
            writer.list("lines", lines) { $1.write(to: &$0) }
        }
    }
}
