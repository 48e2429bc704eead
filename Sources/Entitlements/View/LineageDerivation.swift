/// The periods of one lineage and what they give one account (rules.md R2, R3).
struct LineageDerivation: Sendable {
    private(set) var grantors: [Grantor] = []
    private(set) var inert: [Derivation.Inert] = []
    /// Purchases of non-renewing subscriptions: their chain runs over lineages.
    private(set) var passes: [Transaction] = []
    private(set) var needsReconciliation = false
    /// Auto-renewable periods that can end another one, ascending by purchaseDate.
    private(set) var periods: [Period] = []
    /// The newest transaction, void ones and seat additions aside (rules.md R3).
    private(set) var newestPeriodId: String?
    let renewalInfo: RenewalInfo?
    let owned: OwnedSpans

    struct Period: Sendable {
        let transaction: Transaction
        let purchaseDate: Milliseconds
        let expiresDate: Milliseconds
        let product: Product
        /// The earliest signing date of the copies marked as upgraded.
        let upgradedSigned: Milliseconds?
    }

    init(lineage: Lineage, catalog: Catalog, owned: OwnedSpans) {
        self.owned = owned
        let renewal = lineage.renewals.newest
        renewalInfo = renewal?.renewalInfo
        var counting: [Period] = []
        var seats: [Period] = []
        var newest: (purchase: Milliseconds, id: String)?
        for facts in lineage.transactions.values {
            guard let transaction = facts.newest else { continue }
            let upgradedSigned = facts.copies.filter { $0.transaction.isUpgraded }.map(\.firstSigned).min()
            let reading = Self.read(transaction, upgradedSigned: upgradedSigned, catalog: catalog)
            // An inert period can still be the newest one; a void one cannot.
            if transaction.type == .autoRenewable, !reading.isVoid, !transaction.isSeatAddition,
                let purchase = transaction.purchaseDate
            {
                let id = transaction.transactionId
                if newest.map({
                    $0.purchase != purchase ? $0.purchase < purchase : TransactionOrder.precedes($0.id, id)
                })
                    ?? true
                {
                    newest = (purchase, id)
                }
            }
            switch reading {
            case .inert(let reason):
                inert.append(Derivation.Inert(transaction: transaction, reason: reason))
                needsReconciliation = needsReconciliation || reason == .noReadableEnd
            case .period(let period):
                if transaction.isSeatAddition { seats.append(period) } else { counting.append(period) }
            case .pass: passes.append(transaction)
            case .lasting(let product): addLasting(transaction, product: product)
            }
        }
        newestPeriodId = newest?.id
        periods = counting.sorted { $0.purchaseDate < $1.purchaseDate }
        let grace = catalog.policies.honorGracePeriod ? renewal : nil
        for period in periods + seats { add(period, grace: grace) }
    }

    /// Hands over what it found: the derivation of the account keeps it in one place.
    mutating func takeGrantors() -> [Grantor] {
        defer { grantors = [] }
        return grantors
    }

    private enum Reading {
        case inert(Derivation.Inert.Reason)
        case period(Period)
        case pass
        case lasting(Product)

        /// Ended by its own facts at or before its start, or without a readable end (rules.md R2).
        var isVoid: Bool {
            if case .inert(let reason) = self {
                return [.noReadableEnd, .endsBeforeItStarts, .noPurchaseDate].contains(reason)
            }
            return false
        }
    }

    private static func read(_ transaction: Transaction, upgradedSigned: Milliseconds?, catalog: Catalog) -> Reading {
        guard ProductType.known.contains(transaction.type) else { return .inert(.unknownType) }
        guard let purchase = transaction.purchaseDate else { return .inert(.noPurchaseDate) }
        if transaction.type == .autoRenewable {
            guard let expires = transaction.expiresDate else { return .inert(.noReadableEnd) }
            let isVoid =
                expires <= purchase || transaction.revocationDate.map { $0 <= purchase } ?? false
                || (transaction.isUpgraded && upgradedSigned.map { $0 <= purchase } ?? false)
            if isVoid { return .inert(.endsBeforeItStarts) }
        }
        guard transaction.ownership.isKnown else { return .inert(.unknownOwnership) }
        guard let product = catalog.product(transaction.productId) else { return .inert(.productNotInCatalog) }
        switch transaction.type {
        case .autoRenewable:
            return .period(
                Period(
                    transaction: transaction, purchaseDate: purchase, expiresDate: transaction.expiresDate ?? purchase,
                    product: product, upgradedSigned: transaction.isUpgraded ? upgradedSigned : nil))
        case .nonRenewing: return .pass
        case .nonConsumable: return .lasting(product)
        default: return .inert(.consumable)
        }
    }

    /// Non-consumable: from the purchase to the revocation, or for ever (rules.md R2).
    private mutating func addLasting(_ transaction: Transaction, product: Product) {
        guard let purchase = transaction.purchaseDate else { return }
        let bounds = transaction.revocationDate.map { [Grantor.Bound(at: $0, cause: .refund, rule: "R2")] } ?? []
        add(transaction, product: product, start: purchase, bounds: bounds, graceEnd: nil)
    }

    private mutating func add(_ period: Period, grace: RenewalCopy?) {
        let transaction = period.transaction
        var bounds = [Grantor.Bound(at: period.expiresDate, cause: .expiry, rule: "R2")]
        if let revocation = transaction.revocationDate {
            bounds.append(Grantor.Bound(at: revocation, cause: .refund, rule: "R2"))
        }
        let next = nextPeriod(after: period.purchaseDate)
        if let next {
            bounds.append(
                Grantor.Bound(
                    at: next.purchaseDate, cause: .nextPeriod, rule: "R2", by: next.transaction.transactionId))
        }
        if let upgradedSigned = period.upgradedSigned {
            let successorIsKnown = next.map { $0.purchaseDate < period.expiresDate } ?? false
            if !successorIsKnown {
                bounds.append(Grantor.Bound(at: upgradedSigned, cause: .upgraded, rule: "R2"))
                if owned.isOwner(at: upgradedSigned) { needsReconciliation = true }
            }
        }
        bounds.sort { $0.at < $1.at }
        add(
            transaction, product: period.product, start: period.purchaseDate, bounds: bounds,
            graceEnd: graceEnd(of: period, regularEnd: bounds[0].at, renewal: grace))
    }

    /// The first counting period with a later purchaseDate.
    private func nextPeriod(after purchase: Milliseconds) -> Period? {
        // Binary search: an account of a thousand periods stays linear.
        var (low, high) = (0, periods.count)
        while low < high {
            let middle = (low + high) / 2
            if periods[middle].purchaseDate <= purchase { low = middle + 1 } else { high = middle }
        }
        return low < periods.count ? periods[low] : nil
    }

    /// Grace prolongs the newest transaction only, by the newest renewal info, if that is not older (rules.md R3).
    private func graceEnd(of period: Period, regularEnd: Milliseconds, renewal: RenewalCopy?) -> Milliseconds? {
        guard let renewal, let grace = renewal.renewalInfo.gracePeriodExpiresDate,
            period.transaction.transactionId == newestPeriodId,
            period.transaction.revocationDate == nil, !period.transaction.isUpgraded,
            renewal.lastSigned >= period.purchaseDate, grace > regularEnd
        else { return nil }
        return grace
    }

    private mutating func add(
        _ transaction: Transaction, product: Product, start: Milliseconds, bounds: [Grantor.Bound],
        graceEnd: Milliseconds?
    ) {
        let regularEnd = bounds.first?.at ?? Interval.forever
        let whole = Interval(start, max(regularEnd, graceEnd ?? .min))
        guard !whole.isEmpty else {
            inert.append(Derivation.Inert(transaction: transaction, reason: .endsBeforeItStarts))
            return
        }
        let intervals = owned.clip(whole)
        guard !intervals.isEmpty else {
            inert.append(Derivation.Inert(transaction: transaction, reason: .belongsToAnotherAccount))
            return
        }
        grantors.append(
            Grantor(
                origin: .transaction(transaction, level: product.level), entitlements: product.entitlements,
                start: start,
                bounds: bounds, regularEnd: regularEnd, graceEnd: graceEnd, intervals: intervals))
    }
}
