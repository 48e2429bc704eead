/// What one ledger entry did to its balance.
public struct LedgerLine: Sendable, Hashable {
    /// The entry.
    public var entry: LedgerEntry
    /// The balance it is about.
    public var currency: String
    /// What it added; negative when it took.
    public var change: Int64
    /// What a refund owed beyond the balance and could not take (policy `floor`).
    public var shortfall: Int64
    /// The balance after it.
    public var balance: Int64
}

/// Replays a ledger entry by entry (rules.md R6). A credit or refund that would overflow is left out, never wrapped.
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

    /// Nil when the entry moves nothing: its product is worth nothing, or the balance would overflow.
    @discardableResult
    mutating func apply(_ entry: LedgerEntry) -> LedgerLine? {
        switch entry {
        case .credit(let id, let productId, let quantity, let at):
            guard let worth = catalogs.credits(of: productId, from: at), quantity > 0 else { return nil }
            let (amount, overflow) = worth.amount.multipliedReportingOverflow(by: quantity)
            guard !overflow, let line = add(amount, to: worth.currency, by: entry) else { return nil }
            credits[id] = Credit(currency: worth.currency, amount: amount)
            return line
        case .refund(let id, let percentage, _):
            guard var credit = credits[id] else { return nil }
            let owed = Self.share(percentage, of: credit.amount)
            let balance = balances.amounts[credit.currency] ?? 0
            let takes = policies.refundDebt == .floor ? min(owed, max(balance, 0)) : owed
            guard var line = add(-takes, to: credit.currency, by: entry) else { return nil }
            credit.taken = takes
            credits[id] = credit
            line.shortfall = owed - takes
            if line.shortfall > 0 {
                let (sum, overflow) = (balances.shortfalls[credit.currency] ?? 0)
                    .addingReportingOverflow(line.shortfall)
                balances.shortfalls[credit.currency] = overflow ? .max : sum
            }
            return line
        case .reversal(let id, _):
            guard let credit = credits[id], let line = add(credit.taken, to: credit.currency, by: entry) else {
                return nil
            }
            credits[id]?.taken = 0
            return line
        case .spend(let spend, _): return add(-spend.amount, to: spend.currency, by: entry)
        }
    }

    private mutating func add(_ amount: Int64, to currency: String, by entry: LedgerEntry) -> LedgerLine? {
        let (sum, overflow) = (balances.amounts[currency] ?? 0).addingReportingOverflow(amount)
        guard !overflow else { return nil }
        balances.amounts[currency] = sum
        return LedgerLine(entry: entry, currency: currency, change: amount, shortfall: 0, balance: sum)
    }

    /// `ceil(amount × percentage / 100000)` without overflow.
    private static func share(_ percentage: Int64, of amount: Int64) -> Int64 {
        let product = amount.multipliedFullWidth(by: percentage)
        let (quotient, remainder) = Int64(100_000).dividingFullWidth(product)
        return quotient + (remainder > 0 ? 1 : 0)
    }
}
