/// Words for people, in one place so that they stay the same everywhere.
enum ExplanationWords {
    /// The event that said something: `event 3 REFUND, learned 2026-06-05 11:20`.
    static func told(_ entry: HistoryEntry?) -> String {
        guard let entry else { return "no event of this stream" }
        let name = entry.appleName ?? "\(entry.type.rawValue) by \(entry.source.rawValue)"
        let here =
            entry.recordedAt == entry.learnedAt ? "" : ", with this account since \(Time.people(entry.recordedAt))"
        return "event \(entry.version) \(name), learned \(Time.people(entry.learnedAt))\(here)"
    }

    static func interval(_ interval: Interval) -> String {
        interval.end == Interval.forever
            ? "from \(Time.people(interval.start)), for ever"
            : "\(Time.people(interval.start)) to \(Time.people(interval.end))"
    }

    static func end(_ end: Candidate.End, of candidate: Candidate) -> String {
        switch end.cause {
        case .expiry: "expires"
        case .refund: candidate.transaction?.revokedShare.map { "refunded in part (\($0) %)" } ?? "refunded"
        case .familyRevoked: "family sharing ended"
        case .nextPeriod: end.successor.map { "replaced by \($0)" } ?? "next period begins: \(end.by ?? "")"
        case .upgraded: "replaced, successor not known"
        case .duration: "its duration is over"
        case .grantEnd: "the grant ends"
        case .grantRevoked: "taken back by an operator"
        case .grace: "Apple's grace period ends"
        case .graceNotHonoured: "grace period, not honoured by policy"
        case .movedAway: "moved to another account"
        }
    }

    /// Why it ended, within a sentence: `was refunded`.
    static func ended(_ end: Candidate.End, of candidate: Candidate) -> String {
        switch end.cause {
        case .expiry: "expired"
        case .refund: candidate.transaction?.revokedShare.map { "was refunded in part (\($0) %)" } ?? "was refunded"
        case .familyRevoked: "was no longer shared by the family"
        case .nextPeriod:
            end.successor.map { "was replaced by \($0)" } ?? "was followed by its next period, \(end.by ?? ""),"
        case .upgraded: "was replaced (by what is not known yet)"
        case .duration: "ran out"
        case .grantEnd: "ended as granted"
        case .grantRevoked: "was taken back by an operator"
        case .grace: "came to the end of Apple's grace period"
        case .movedAway: "moved to another account"
        case .graceNotHonoured: "expired; the app's policy gives no grace"
        }
    }

    static func nothing(_ reason: Candidate.Nothing) -> String {
        switch reason {
        case .unknownType: "its product type is unknown to these rules (R2, R8)"
        case .unknownOwnership: "its ownership type is unknown to these rules (R2, R8)"
        case .productNotInCatalog: "its product is not in the catalog (R2)"
        case .noReadableEnd: "it has no readable end, so the store should be asked (R2)"
        case .noPurchaseDate: "it has no readable purchase date (R2)"
        case .noDuration: "the catalog gives its product no duration (R2)"
        case .revokedFromItsStart: "it was refunded before its access began (R2)"
        case .endsBeforeItStarts: "it ends before it begins (R2)"
        case .replacedFromItsStart: "an upgrade replaced it before it began (R2)"
        case .consumable: "a consumable credits a balance and grants no entitlement (R2)"
        case .belongsToAnotherAccount: "it belongs to another account (R7)"
        case .grantNeverBegan: "it was taken back before it began (R4)"
        }
    }

    static func describes(_ choice: Explanation.Choice) -> String? {
        guard let other = choice.runnerUp, let criterion = choice.criterion else { return nil }
        return switch criterion {
        case "active": "it is active and \(other) is not"
        case "laterEnd": "it ends later than \(other)"
        case "transactionBeforeGrant": "of the same end, a purchase goes before the grant \(other)"
        case "purchasedBeforeShared": "of the same end, it was bought and \(other) is shared by the family"
        case "higherLevel": "of the same end, its level in the catalog is above that of \(other)"
        case "laterPurchase": "of the same end, it was bought later than \(other)"
        case "greaterTransactionId": "bought at the same instant as \(other), its id is the greater"
        default: "of two grants with the same end, it began before \(other)"
        }
    }

    static func standing(_ standing: Candidate.Standing) -> String {
        switch standing {
        case .active: "active"
        case .inGracePeriod: "in its grace period"
        case .upcoming: "still to come"
        case .over: "over"
        case .nothing: "gives nothing"
        }
    }

    static func ownerCause(_ cause: OwnerSpan.Cause) -> String {
        switch cause {
        case .token: "by its token"
        case .claim: "by claim"
        case .restore: "by restore"
        case .operator: "by an operator"
        case .locked: "locked, its owner was erased"
        }
    }
}

extension Transaction {
    /// The refunded share in percent, where it was not all.
    fileprivate var revokedShare: String? {
        guard let thousandths = content.integer("revocationPercentage"), thousandths < 100_000 else { return nil }
        return thousandths % 1000 == 0 ? "\(thousandths / 1000)" : "\(Double(thousandths) / 1000)"
    }
}

extension LedgerLine {
    /// Why it counts for nothing, in the words of `ExplanationWords`.
    var faultWords: String? {
        switch fault {
        case .invalidQuantity?: "refused: its quantity is no positive number (R6)"
        case .overflow?: "refused: the balance would leave 64 bits (R6)"
        case nil: nil
        }
    }
}

extension Candidate.End {
    /// What replaced it, where that is another product.
    fileprivate var successor: String? { byProductId.map { "\($0) \(by ?? "")" } }
}

extension Candidate {
    /// `pro.m 2000000000000402`, or `grant g1`.
    var name: String {
        transaction.map { "\($0.productId.isEmpty ? "(no product)" : $0.productId) \(id)" } ?? "grant \(id)"
    }

    /// The bound in force.
    var decisiveEnd: End? { ends.first { $0.isDecisive } }
}
