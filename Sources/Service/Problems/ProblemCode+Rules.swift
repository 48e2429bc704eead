extension ProblemCode {
    var ruleKind: ProblemKind {
        switch self {
        case .insufficientBalance:
            ProblemKind(
                409, "Balance too low", "The balance does not cover the amount.", "Spend less, or buy more first.")
        case .idempotencyConflict:
            ProblemKind(
                409, "Key used before", "The idempotency key was used for another spend.",
                "Use a new key for a new spend.")
        case .invalidAmount:
            ProblemKind(422, "Invalid amount", "The amount is not a positive whole number.", "Send one.")
        case .grantExists:
            ProblemKind(
                409, "Grant exists", "There is another grant of this id.", "Choose another id, or leave it out.")
        case .unknownGrant:
            ProblemKind(404, "Unknown grant", "There is no grant of this id.", "See the account's history.")
        case .unknownLineage:
            ProblemKind(
                404, "Unknown purchase", "No transaction of this original transaction id is known.",
                "Push it first, or check the environment.")
        case .notLocked:
            ProblemKind(409, "Not locked", "The purchase is not locked.", "There is nothing to do.")
        case .lineageLocked:
            ProblemKind(
                409, "Purchase locked", "The purchase's owner was erased; it stays locked until an operator frees it.",
                "Free it first: `entitled unclaimed --free`.")
        case .alreadyOwner:
            ProblemKind(409, "Owned already", "The purchase belongs to this account.", "There is nothing to do.")
        case .consumableLineage:
            ProblemKind(
                409, "Consumable", "A consumable belongs to whoever got its credit and never moves.", "Grant instead.")
        default:
            ProblemKind(
                422, "Invalid catalog", "The catalog contradicts itself or the app in the path.",
                "Mend the member named in the answer.")
        }
    }

    var serviceKind: ProblemKind {
        switch self {
        case .rateLimited:
            ProblemKind(
                429, "Too many requests", "This account sends more requests than it may.",
                "Wait for the seconds of Retry-After.", isTransient: true)
        case .overloaded:
            ProblemKind(
                503, "Overloaded", "The service has as much to do as it can take.",
                "Wait for the seconds of Retry-After.", isTransient: true)
        case .databaseUnavailable:
            ProblemKind(
                503, "Database away", "The database cannot be reached; nothing was acknowledged.",
                "Wait for the seconds of Retry-After. Operators: see /readyz and the database's log.", isTransient: true
            )
        case .draining:
            ProblemKind(
                503, "Shutting down", "This instance is about to end.", "Connect again; another instance answers.",
                isTransient: true)
        case .notReady:
            ProblemKind(
                503, "Not ready", "This instance cannot serve yet, or not any more.",
                "Operators: the answer names the reason.", isTransient: true)
        case .appNotConfigured:
            ProblemKind(
                503, "App not configured", "No app of this bundle id is served yet, so the notification was not taken.",
                "Add the app; the App Store sends the notification again.", isTransient: true)
        default:
            ProblemKind(
                500, "Internal error", "The service made a mistake.",
                "Report it with the request id; the log has the reason.")
        }
    }
}
