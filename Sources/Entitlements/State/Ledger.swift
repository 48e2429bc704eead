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
    /// Whether an entry was refused (`LedgerLine.Fault`): then the account is to be looked at.
    public internal(set) var hasFaults = false

    /// Replays a ledger.
    init(ledger: [LedgerEntry], catalogs: CatalogHistory, policies: Policies) {
        var replay = LedgerReplay(catalogs: catalogs, policies: policies)
        for entry in ledger { replay.apply(entry) }
        self = replay.balances
    }

    init() {}
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
        return revisions[first...].lazy.compactMap { $0.catalog.product(productId)?.credits }.first
    }
}
