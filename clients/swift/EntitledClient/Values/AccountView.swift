public import Entitlements

/// What the client says about one entitlement: `active`, `inactive` or `unknown`, and how sure it is (rules.md R9, R11).
public typealias EntitlementAnswer = ClientAnswer

/// All that the client can say at one time. A value: ask for the next one by `updates`.
public struct AccountView: Sendable, Hashable {
    /// Whose it is.
    public let account: AccountID
    /// What the service said last; nil as long as it has said nothing: then every answer is `unknown`.
    public let snapshot: Snapshot?
    /// The answer about each entitlement in the snapshot, at `trustedTime`.
    public let answers: [String: EntitlementAnswer]
    /// The answer about any other entitlement.
    public let otherwise: EntitlementAnswer
    /// When the offline limit is reached, if the service is not reached before; nil as long as nothing is known.
    public let offlineLimit: Milliseconds?
    /// The time of the answers; nil as long as nothing is known.
    public let trustedTime: Milliseconds?
    /// Purchases that somebody else has to approve, oldest first. They grant nothing.
    public let pending: [PendingPurchase]

    /// The answer about an entitlement.
    public func answer(for entitlement: String) -> EntitlementAnswer { answers[entitlement] ?? otherwise }

    /// The entries that give access now, with their answers.
    public var currentEntitlements: [CurrentEntitlement] {
        (snapshot?.entitlements ?? []).compactMap { entry in
            let answer = answer(for: entry.id)
            return answer.access == .active ? CurrentEntitlement(entry: entry, answer: answer) : nil
        }
    }

    /// Whether a person would see a difference: the time of the answers is none.
    func looksLike(_ other: AccountView) -> Bool {
        account == other.account && pending == other.pending && answers == other.answers && otherwise == other.otherwise
            && snapshot?.entitlements == other.snapshot?.entitlements
            && snapshot?.balances == other.snapshot?.balances
            && snapshot?.needsReconciliation == other.snapshot?.needsReconciliation
            && (snapshot == nil) == (other.snapshot == nil)
    }

    static func unknown(_ account: AccountID, pending: [PendingPurchase]) -> AccountView {
        AccountView(
            account: account, snapshot: nil, answers: [:], otherwise: .unknown, offlineLimit: nil, trustedTime: nil,
            pending: pending)
    }
}

/// An entitlement that gives access now.
public struct CurrentEntitlement: Sendable, Hashable {
    /// What the service said of it.
    public let entry: EntitlementEntry
    /// How sure the answer is.
    public let answer: EntitlementAnswer

    /// The entitlement.
    public var id: String { entry.id }
}

/// A balance of a virtual currency as the service said it last.
public struct Balance: Sendable, Hashable {
    /// Nil as long as the service has said nothing. A currency that nobody credited is 0.
    public let amount: Int64?
    /// As for entitlements: `stale` past the offline limit, `clockRolledBack`.
    public let flags: Set<EntitlementAnswer.Flag>
}
