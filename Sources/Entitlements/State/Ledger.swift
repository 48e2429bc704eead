/// One entry of an account's ledger, in log order and never rewritten (rules.md R6). Amounts come from the catalog when the
/// balance is asked for.
public enum LedgerEntry: Sendable, Hashable {
    /// A consumable was bought.
    case credit(transactionId: String, productId: String, quantity: Int64, at: Milliseconds)
    /// A refund takes this share, in thousandths of a percent.
    case refund(transactionId: String, percentage: Int64, at: Milliseconds)
    /// The refund was taken back.
    case reversal(transactionId: String, at: Milliseconds)
    /// The account spent.
    case spend(Spend, at: Milliseconds)
}

/// Balances after a ledger, and what refunds could not take.
public struct Balances: Sendable, Hashable {
    /// By currency; a currency nobody credited is absent.
    public internal(set) var amounts: [String: Int64] = [:]
    /// By currency: what refunds owed beyond the balance (policy `floor`).
    public internal(set) var shortfalls: [String: Int64] = [:]

    private struct Credit {
        var currency: String
        var amount: Int64
        var taken: Int64 = 0
    }

    /// Replays a ledger. A credit or refund that would overflow is left out, never wrapped.
    init(ledger: [LedgerEntry], catalogs: CatalogHistory, policies: Policies) {
        var credits: [String: Credit] = [:]
        for entry in ledger {
            switch entry {
            case .credit(let id, let productId, let quantity, let at):
                guard let worth = catalogs.credits(of: productId, from: at), quantity > 0 else { continue }
                let (amount, overflow) = worth.amount.multipliedReportingOverflow(by: quantity)
                guard !overflow, add(amount, to: worth.currency) else { continue }
                credits[id] = Credit(currency: worth.currency, amount: amount)
            case .refund(let id, let percentage, _):
                guard var credit = credits[id] else { continue }
                let owed = Self.share(percentage, of: credit.amount)
                let balance = amounts[credit.currency] ?? 0
                let takes = policies.refundDebt == .floor ? min(owed, max(balance, 0)) : owed
                guard add(-takes, to: credit.currency) else { continue }
                credit.taken = takes
                credits[id] = credit
                if takes < owed { shortfalls[credit.currency, default: 0] += owed - takes }
            case .reversal(let id, _):
                guard let credit = credits[id], add(credit.taken, to: credit.currency) else { continue }
                credits[id]?.taken = 0
            case .spend(let spend, _):
                _ = add(-spend.amount, to: spend.currency)
            }
        }
    }

    private mutating func add(_ amount: Int64, to currency: String) -> Bool {
        let (sum, overflow) = (amounts[currency] ?? 0).addingReportingOverflow(amount)
        guard !overflow else { return false }
        amounts[currency] = sum
        return true
    }

    /// `ceil(amount × percentage / 100000)` without overflow.
    private static func share(_ percentage: Int64, of amount: Int64) -> Int64 {
        let product = amount.multipliedFullWidth(by: percentage)
        let (quotient, remainder) = Int64(100_000).dividingFullWidth(product)
        return quotient + (remainder > 0 ? 1 : 0)
    }
}

/// The catalogs of an app over time.
public struct CatalogHistory: Sendable, Hashable {
    /// Each with its first instant, ascending; at least one.
    public private(set) var revisions: [Revision]

    /// A catalog and when it was applied.
    public struct Revision: Sendable, Hashable {
        /// When it was applied.
        public var recordedAt: Milliseconds
        /// The catalog.
        public var catalog: Catalog

        /// A revision.
        public init(recordedAt: Milliseconds, catalog: Catalog) {
            self.recordedAt = recordedAt
            self.catalog = catalog
        }
    }

    /// One catalog that has always been.
    public init(_ catalog: Catalog) { revisions = [Revision(recordedAt: .min, catalog: catalog)] }

    /// Revisions in the order applied; nil when there is none.
    public init?(revisions: [Revision]) {
        guard !revisions.isEmpty else { return nil }
        self.revisions = revisions
    }

    /// The newest.
    public var current: Catalog { revisions[revisions.count - 1].catalog }

    /// What was known at an instant; the first one also before it was applied, since facts may be older than the service.
    public func known(at instant: Milliseconds) -> CatalogHistory {
        let known = revisions.filter { $0.recordedAt <= instant }
        return CatalogHistory(revisions: known) ?? CatalogHistory(revisions[0].catalog)
    }

    /// What a consumable recorded at an instant is worth: by the catalog of that time or, if it did not know the product
    /// yet, by the first one that does. A later price never rewrites an entry (rules.md R6).
    func credits(of productId: String, from instant: Milliseconds) -> Product.Credits? {
        let first = revisions.lastIndex { $0.recordedAt <= instant } ?? 0
        return revisions[first...].lazy.compactMap { $0.catalog.products[productId]?.credits }.first
    }
}
