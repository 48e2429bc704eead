/// What one ledger entry did to its balance.
public struct LedgerLine: Sendable, Hashable {
    /// The entry.
    public var entry: LedgerEntry
    /// The balance it is about.
    public var currency: String
    /// What it added; negative when it took.
    public var change: Int64
    /// What a refund owed beyond the balance and could not take (policy `floor`).
    public var shortfall: Int64 = 0
    /// The balance after it.
    public var balance: Int64
    /// Why it was refused; nil when it counts.
    public var fault: Fault?

    /// Why an entry moves nothing: odd data inside signed objects, refused and never wrapped (rules.md R6).
    public enum Fault: String, Sendable, Hashable {
        /// The quantity is no positive number.
        case invalidQuantity
        /// The balance would leave what 64 bits hold.
        case overflow
    }
}

/// Replays a ledger entry by entry (rules.md R6).
struct LedgerReplay {
    private(set) var balances = Balances()
    private var credits: [String: Credit] = [:]
    private let catalogs: CatalogHistory
    private let policies: Policies

    private struct Credit {
        var currency: String
        var amount: Int64
        var taken: Int64 = 0
    }

    init(catalogs: CatalogHistory, policies: Policies) {
        self.catalogs = catalogs
        self.policies = policies
    }

    /// Nil when the entry is about no balance: its product is worth nothing, or its credit was refused.
    @discardableResult
    mutating func apply(_ entry: LedgerEntry) -> LedgerLine? {
        switch entry {
        case .credit(let id, let productId, let quantity, let at):
            guard let worth = catalogs.credits(of: productId, from: at) else { return nil }
            guard quantity > 0 else { return refuse(entry, worth.currency, .invalidQuantity) }
            let (amount, overflow) = worth.amount.multipliedReportingOverflow(by: quantity)
            guard !overflow else { return refuse(entry, worth.currency, .overflow) }
            let line = add(amount, to: worth.currency, by: entry)
            if line.fault == nil { credits[id] = Credit(currency: worth.currency, amount: amount) }
            return line
        case .refund(let id, let percentage, _): return refund(id, percentage, by: entry)
        case .reversal(let id, _):
            guard let credit = credits[id] else { return nil }
            let line = add(credit.taken, to: credit.currency, by: entry)
            if line.fault == nil { credits[id]?.taken = 0 }
            return line
        case .spend(let spend, _): return add(-spend.amount, to: spend.currency, by: entry)
        }
    }

    private mutating func refund(_ id: String, _ percentage: Int64, by entry: LedgerEntry) -> LedgerLine? {
        guard let credit = credits[id] else { return nil }
        let owed = Self.share(percentage, of: credit.amount)
        let balance = balances.amounts[credit.currency] ?? 0
        let takes = policies.refundDebt == .floor ? min(owed, max(balance, 0)) : owed
        var line = add(-takes, to: credit.currency, by: entry)
        guard line.fault == nil else { return line }
        credits[id]?.taken = takes
        line.shortfall = owed - takes
        if line.shortfall > 0 {
            let (sum, overflow) = (balances.shortfalls[credit.currency] ?? 0).addingReportingOverflow(line.shortfall)
            balances.shortfalls[credit.currency] = overflow ? .max : sum
        }
        return line
    }

    private mutating func add(_ amount: Int64, to currency: String, by entry: LedgerEntry) -> LedgerLine {
        let (sum, overflow) = (balances.amounts[currency] ?? 0).addingReportingOverflow(amount)
        guard !overflow else { return refuse(entry, currency, .overflow) }
        balances.amounts[currency] = sum
        return LedgerLine(entry: entry, currency: currency, change: amount, balance: sum)
    }

    /// Leaves an entry out, in sight: somebody has to look at the account.
    private mutating func refuse(_ entry: LedgerEntry, _ currency: String, _ fault: LedgerLine.Fault) -> LedgerLine {
        balances.hasFaults = true
        return LedgerLine(
            entry: entry, currency: currency, change: 0, balance: balances.amounts[currency] ?? 0, fault: fault)
    }

    /// `ceil(amount × percentage / 100000)` without overflow.
    private static func share(_ percentage: Int64, of amount: Int64) -> Int64 {
        let product = amount.multipliedFullWidth(by: percentage)
        let (quotient, remainder) = Int64(100_000).dividingFullWidth(product)
        return quotient + (remainder > 0 ? 1 : 0)
    }
}
