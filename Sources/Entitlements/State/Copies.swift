/// One distinct content of a transaction or renewal info, and when Apple signed it: from first to last.
public protocol SignedCopy: Sendable {
    /// What it says.
    var content: SignedContent { get }
    /// Earliest and latest signing date; nil (no date) counts as oldest (rules.md R1).
    var firstSigned: Milliseconds { get set }
    /// See `firstSigned`.
    var lastSigned: Milliseconds { get set }
    /// Whether this content wins over another one of the same signing date (rules.md R1).
    func winsTie(over other: Self) -> Bool
}

/// Stands for a missing signing date: the oldest.
public let unsignedDate = Milliseconds.min

extension SignedCopy {
    func isNewer(than other: Self) -> Bool {
        lastSigned != other.lastSigned ? lastSigned > other.lastSigned : winsTie(over: other)
    }

    func canonicallyWins(over other: Self) -> Bool {
        other.content.members.canonicalText.lexicographicallyPrecedes(content.members.canonicalText)
    }
}

extension Array where Element: SignedCopy {
    /// The fact: the newest copy (rules.md R1).
    var newest: Element? {
        var best = first
        for copy in dropFirst() where best.map(copy.isNewer) ?? true { best = copy }
        return best
    }

    /// What a copy adds to those already there.
    func novelty(of copy: Element) -> Novelty {
        guard let known = first(where: { $0.content == copy.content }) else { return .content }
        if copy.lastSigned <= known.lastSigned {
            return copy.firstSigned < known.firstSigned ? .date : .nothing
        }
        // The same words, and now newer than whatever else was said: the answer changes again.
        guard let newest, newest.content != copy.content, copy.isNewer(than: newest) else { return .date }
        return .newestAgain
    }

    /// Adds a copy; the same content twice only widens its signing dates. Commutes.
    mutating func merge(_ copy: Element) {
        guard contains(where: { $0.content == copy.content }) else { return append(copy) }
        widen(to: copy.firstSigned) { $0 == copy.content }
        widen(to: copy.lastSigned) { $0 == copy.content }
    }

    mutating func widen(to date: Milliseconds, where matches: (SignedContent) -> Bool) {
        guard let index = firstIndex(where: { matches($0.content) }) else { return }
        self[index].firstSigned = Swift.min(self[index].firstSigned, date)
        self[index].lastSigned = Swift.max(self[index].lastSigned, date)
    }
}

/// What a signed copy adds to what is known.
public enum Novelty: Sendable, Hashable {
    /// Nothing at all.
    case nothing
    /// Only a signing date, which orders later copies (rules.md R1).
    case date
    /// Content known before that is now the newest word again.
    case newestAgain
    /// New content.
    case content

    /// Whether it is worth an event.
    public var isNews: Bool { self == .content || self == .newestAgain }
}

/// One distinct content of a transaction.
public struct TransactionCopy: SignedCopy, Hashable {
    /// The decoded content, without a signing date: those of all copies that say the same are below.
    public let transaction: Transaction
    /// Earliest signing date.
    public var firstSigned: Milliseconds
    /// Latest signing date.
    public var lastSigned: Milliseconds
    /// When we first heard it.
    public var learnedAt: Milliseconds
    /// What it says.
    public var content: SignedContent { transaction.content }

    /// A copy as it arrived.
    public init(_ transaction: Transaction, learnedAt: Milliseconds) {
        var undated = transaction
        undated.signedDate = nil
        self.transaction = undated
        firstSigned = transaction.signedDate ?? unsignedDate
        lastSigned = firstSigned
        self.learnedAt = learnedAt
    }

    /// A revocation wins, then an upgrade, then the later end, then the greater canonical text (rules.md R1).
    public func winsTie(over other: TransactionCopy) -> Bool {
        let (mine, theirs) = (transaction, other.transaction)
        if (mine.revocationDate != nil) != (theirs.revocationDate != nil) { return mine.revocationDate != nil }
        if mine.isUpgraded != theirs.isUpgraded { return mine.isUpgraded }
        let (end, otherEnd) = (mine.expiresDate ?? .min, theirs.expiresDate ?? .min)
        return end != otherEnd ? end > otherEnd : canonicallyWins(over: other)
    }
}

/// One distinct content of a renewal info.
public struct RenewalCopy: SignedCopy, Hashable {
    /// The decoded content, without a signing date: those of all copies that say the same are below.
    public let renewalInfo: RenewalInfo
    /// Earliest signing date.
    public var firstSigned: Milliseconds
    /// Latest signing date.
    public var lastSigned: Milliseconds
    /// When we first heard it.
    public var learnedAt: Milliseconds
    /// What it says.
    public var content: SignedContent { renewalInfo.content }

    /// A copy as it arrived.
    public init(_ renewalInfo: RenewalInfo, learnedAt: Milliseconds) {
        var undated = renewalInfo
        undated.signedDate = nil
        self.renewalInfo = undated
        firstSigned = renewalInfo.signedDate ?? unsignedDate
        lastSigned = firstSigned
        self.learnedAt = learnedAt
    }

    /// The greater canonical text wins (rules.md R1).
    public func winsTie(over other: RenewalCopy) -> Bool { canonicallyWins(over: other) }
}
