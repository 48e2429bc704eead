/// From `start` on the lineage is `owner`'s; nil is nobody's.
public struct OwnerSpan: Sendable, Hashable {
    /// First instant; `Milliseconds.min` is "from the beginning".
    public var start: Milliseconds
    /// Whose it is.
    public var owner: AccountID?
    /// Why.
    public var cause: Cause

    /// What made somebody the owner (rules.md R7).
    public enum Cause: String, Sendable, Hashable {
        case token, claim, restore, `operator`, locked
    }
}

extension Lineage {
    /// Who owns the lineage from when on: the evidence read as a whole (rules.md R7). Empty while unbound.
    public func ownerTimeline() -> [OwnerSpan] {
        if isConsumable, let creditedTo {
            let whole = OwnerSpan(
                start: .min, owner: creditedTo, cause: claim?.account == creditedTo ? .claim : .token)
            return lockedAt.map { [whole, OwnerSpan(start: $0, owner: nil, cause: .locked)] } ?? [whole]
        }
        var spoken = tokenSpans()
        if let claim {
            // Claimed from the original dates; tokens on older transactions move nothing.
            let claimed = transactions[claim.transactionId]?.newest?.purchaseDate ?? .min
            spoken.removeAll { $0.start < claimed }
            spoken.insert(OwnerSpan(start: .min, owner: claim.account, cause: .claim), at: 0)
        } else if !spoken.isEmpty {
            spoken[0].start = .min
        }
        for move in moves {
            let cause: OwnerSpan.Cause = move.cause == .restore ? .restore : .operator
            spoken.append(OwnerSpan(start: move.at, owner: move.account, cause: cause))
        }
        if let lockedAt {
            // Deaf from here on (rules.md R7).
            spoken.removeAll { $0.start > lockedAt }
            spoken.append(OwnerSpan(start: lockedAt, owner: nil, cause: .locked))
        }
        // Stable: of one instant, the later in the list has the last word (token, then claim's successor, then restore).
        let ordered = spoken.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
        return Self.condensed(ordered.map(\.element))
    }

    /// Known tokens in the order of their transactions, without those that repeat the one before them.
    private func tokenSpans() -> [OwnerSpan] {
        var named: [(purchase: Milliseconds, id: String, token: AccountID, isKnown: Bool)] = []
        for (id, facts) in transactions {
            guard let token = facts.token, let purchase = facts.newest?.purchaseDate else { continue }
            named.append((purchase, id, token, facts.knownTokens.contains(token)))
        }
        guard !named.isEmpty else { return [] }
        named.sort {
            $0.purchase != $1.purchase ? $0.purchase < $1.purchase : TransactionOrder.precedes($0.id, $1.id)
        }
        var spans: [OwnerSpan] = []
        var previous: AccountID?
        for entry in named {
            if entry.isKnown, entry.token != previous {
                spans.append(OwnerSpan(start: entry.purchase, owner: entry.token, cause: .token))
            }
            previous = entry.token
        }
        return spans
    }

    private static func condensed(_ spans: [OwnerSpan]) -> [OwnerSpan] {
        var result: [OwnerSpan] = []
        for span in spans {
            if let last = result.last, last.start == span.start { result.removeLast() }
            if result.last?.owner != span.owner || result.isEmpty { result.append(span) }
        }
        return result
    }

    /// The owner at an instant; nil before the first and while nobody's.
    public func owner(at instant: Milliseconds) -> AccountID? {
        ownerTimeline().owner(at: instant)
    }

    /// Accounts named by tokens that we did not know (rules.md R7.2). They bind only what nobody has claimed or moved.
    public var hints: Set<AccountID> {
        guard claim == nil, moves.isEmpty, lockedAt == nil else { return [] }
        var hints: Set<AccountID> = []
        for facts in transactions.values {
            if let token = facts.token, !facts.knownTokens.contains(token) { hints.insert(token) }
        }
        return hints
    }

    /// Whether nobody owns it and somebody could (rules.md R7.5).
    public var isUnclaimed: Bool { lockedAt == nil && ownerTimeline().isEmpty }
}

extension [OwnerSpan] {
    /// The owner at an instant by this timeline; nil before the first and while nobody's.
    func owner(at instant: Milliseconds) -> AccountID? { last { $0.start <= instant }?.owner }
}

/// The order of transaction ids: as numbers when both are (rules.md R4).
public enum TransactionOrder {
    /// Whether the first id is the lesser.
    public static func precedes(_ left: String, _ right: String) -> Bool {
        let (a, b) = (digits(left), digits(right))
        guard let a, let b else { return left.utf8.lexicographicallyPrecedes(right.utf8) }
        return a.count != b.count ? a.count < b.count : a.lexicographicallyPrecedes(b)
    }

    /// The digits without leading zeros; nil when it is no number. Ids have no promised length.
    private static func digits(_ id: String) -> Substring.UTF8View? {
        guard !id.isEmpty, id.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return id.drop { $0 == "0" }.utf8
    }
}
