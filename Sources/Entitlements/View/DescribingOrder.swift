/// Which of two grantors describes an entitlement, and what decided it (rules.md R4).
struct DescribingOrder {
    /// Whether the first one describes.
    let isFirst: Bool
    /// What decided.
    let criterion: Criterion

    /// What decides between two grantors, in this order.
    enum Criterion: String, Sendable, Hashable {
        case active, laterEnd, transactionBeforeGrant, purchasedBeforeShared, higherLevel, laterPurchase
        case greaterTransactionId
        /// Two grants of one end: the one that began earlier.
        case earlierGrant
    }

    init(_ left: Grantor, over right: Grantor, at instant: Milliseconds) {
        (isFirst, criterion) = Self.decide(left, right, at: instant)
    }

    private static func decide(_ left: Grantor, _ right: Grantor, at instant: Milliseconds) -> (Bool, Criterion) {
        let (leftActive, rightActive) = (left.isActive(at: instant), right.isActive(at: instant))
        if leftActive != rightActive { return (leftActive, .active) }
        if left.end != right.end { return (left.end > right.end, .laterEnd) }
        switch (left.origin, right.origin) {
        case (.grant, .grant): return ((left.start, left.id) < (right.start, right.id), .earlierGrant)
        case (.transaction, .grant): return (true, .transactionBeforeGrant)
        case (.grant, .transaction): return (false, .transactionBeforeGrant)
        case (.transaction(let mine, let level), .transaction(let theirs, let otherLevel)):
            if mine.ownership != theirs.ownership { return (mine.ownership == .purchased, .purchasedBeforeShared) }
            if level != otherLevel { return (level > otherLevel, .higherLevel) }
            let (purchase, otherPurchase) = (mine.purchaseDate ?? .min, theirs.purchaseDate ?? .min)
            if purchase != otherPurchase { return (purchase > otherPurchase, .laterPurchase) }
            return (
                TransactionOrder.precedes(theirs.transactionId, mine.transactionId), .greaterTransactionId
            )
        }
    }
}
