/// What a client needs of one entry of a snapshot to answer offline (rules.md R11).
public struct CachedEntitlement: Sendable, Hashable {
    /// The access intervals in order, half-open and apart from each other.
    public let intervals: [Interval]
    /// Whether the store will renew it; nil when not known.
    public let willRenew: Bool?
    /// Whether the last end was set by a refund or an operator.
    public let endIsFinal: Bool

    /// An entry.
    public init(intervals: [Interval], willRenew: Bool?, endIsFinal: Bool) {
        self.intervals = intervals
        self.willRenew = willRenew
        self.endIsFinal = endIsFinal
    }
}

/// The last snapshot a client fetched: all that it needs to answer offline. Pure: the trusted time is passed in.
public struct CachedSnapshot: Sendable, Hashable {
    /// The server's time of the fetch.
    public let fetchedAt: Milliseconds
    /// How long the client may answer without another fetch (policy `offlineGrace`).
    public let offlineGrace: Milliseconds
    /// What it answers past that limit.
    public let staleAccess: Policies.StaleAccess
    /// The account's entries; an entitlement without one is not had.
    public let entitlements: [String: CachedEntitlement]

    /// A snapshot of that instant.
    public init(
        fetchedAt: Milliseconds, offlineGrace: Milliseconds, staleAccess: Policies.StaleAccess,
        entitlements: [String: CachedEntitlement]
    ) {
        self.fetchedAt = fetchedAt
        self.offlineGrace = offlineGrace
        self.staleAccess = staleAccess
        self.entitlements = entitlements
    }

    /// The offline limit: reached at exactly this instant.
    public var limit: Milliseconds { fetchedAt.addingClamped(offlineGrace) }

    /// The answer about an entitlement, by a clock that has just been looked at.
    public func answer(for entitlement: String, by clock: TrustedClock) -> ClientAnswer {
        let answer = answer(for: entitlement, at: clock.now)
        guard clock.isRolledBack else { return answer }
        return ClientAnswer(answer.access, flags: answer.flags.union([.clockRolledBack]))
    }

    /// The answer about an entitlement at a trusted instant.
    public func answer(for entitlement: String, at now: Milliseconds) -> ClientAnswer {
        let isStale = now >= limit
        let flags: Set<ClientAnswer.Flag> = isStale ? [.stale] : []
        guard let entry = entitlements[entitlement], !isStale || staleAccess == .keep else {
            return ClientAnswer(.inactive, flags: flags)
        }
        if entry.intervals.contains(where: { $0.contains(now) }) { return ClientAnswer(.active, flags: flags) }
        if let end = assumedEnd(of: entry), now >= end, now < limit {
            return ClientAnswer(.active, flags: [.assumedRenewal])
        }
        return ClientAnswer(.inactive, flags: flags)
    }

    /// The end from which a renewal is taken for granted: one that passes after the fetch and that nothing sets for good.
    private func assumedEnd(of entry: CachedEntitlement) -> Milliseconds? {
        guard entry.willRenew == true, !entry.endIsFinal, let last = entry.intervals.last, !last.isEmpty,
            last.end != Interval.forever, last.end > fetchedAt
        else { return nil }
        return last.end
    }

    /// The first instant after `now` at which the answer about an entitlement changes by time alone; nil when it never does.
    public func nextChange(for entitlement: String, after now: Milliseconds) -> Milliseconds? {
        let intervals = entitlements[entitlement]?.intervals ?? []
        let boundaries = [limit] + intervals.flatMap { [$0.start, $0.end] }
        let current = answer(for: entitlement, at: now)
        return boundaries.sorted().first {
            $0 > now && $0 != Interval.forever && answer(for: entitlement, at: $0) != current
        }
    }

    /// The first instant after `now` at which any answer changes by time alone: when the client's timer must fire.
    public func nextChange(after now: Milliseconds) -> Milliseconds? {
        let changes = entitlements.keys.compactMap { nextChange(for: $0, after: now) }
        // What the account has not becomes stale like the rest.
        return (changes + (now < limit ? [limit] : [])).min()
    }
}
