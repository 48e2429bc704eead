/// What follows from a state and the catalogs, whatever the time asked about: every grantor with its intervals.
public struct Derivation: Sendable {
    /// Every grantor that gives this account access at some time.
    public private(set) var grantors: [Grantor] = []
    /// Which of them unlock an entitlement, in their order.
    private(set) var byEntitlement: [String: [Int]] = [:]
    /// Every known transaction that gives this account nothing, and why.
    public private(set) var inert: [Inert] = []
    /// What is known of each lineage's periods.
    private(set) var lineages: [String: LineageDerivation] = [:]
    /// Whether the store should be asked (rules.md R2).
    public private(set) var needsReconciliation = false

    /// A transaction that gives nothing.
    public struct Inert: Sendable, Hashable {
        /// The transaction.
        public var transaction: Transaction
        /// Why.
        public var reason: Reason

        /// Why a transaction gives nothing.
        public enum Reason: String, Sendable, Hashable {
            case unknownType, unknownOwnership, productNotInCatalog, noReadableEnd, noPurchaseDate
            case endsBeforeItStarts, consumable, belongsToAnotherAccount, noDuration
        }
    }

    /// Derives. Pure; rules.md R2 to R4.
    public init(state: AccountState, catalogs: CatalogHistory) {
        let catalog = catalogs.current
        var passes: [String: [Pass]] = [:]
        for (id, lineage) in state.lineages {
            let owned = OwnedSpans(lineage: lineage, account: state.account)
            guard owned.isOwnerAtAll else { continue }
            var derived = LineageDerivation(lineage: lineage, catalog: catalog, owned: owned)
            grantors += derived.takeGrantors()
            inert += derived.inert
            for transaction in derived.passes {
                passes[transaction.productId, default: []].append(Pass(transaction: transaction, owned: owned))
            }
            needsReconciliation = needsReconciliation || derived.needsReconciliation
            lineages[id] = derived
        }
        for (productId, passes) in passes {
            if let product = catalog.products[productId] { derive(passes, of: product) }
        }
        for grant in state.grants {
            if let grantor = Grantor(grant) { grantors.append(grantor) }
        }
        // One order for the same facts, however they are stored.
        grantors = grantors.indices.sorted { left, right in
            let (first, second) = (grantors[left].start, grantors[right].start)
            return first != second ? first < second : grantors[left].id < grantors[right].id
        }.map { grantors[$0] }
        for (index, grantor) in grantors.enumerated() {
            for entitlement in grantor.entitlements { byEntitlement[entitlement, default: []].append(index) }
        }
        inert.sort { $0.transaction.transactionId < $1.transaction.transactionId }
    }

    /// Access intervals by entitlement: the union of its grantors (rules.md R4).
    public func intervals() -> [String: [Interval]] {
        byEntitlement.mapValues { $0.flatMap { grantors[$0].intervals }.union() }
    }

    /// A purchase of a non-renewing subscription.
    private struct Pass {
        var transaction: Transaction
        var owned: OwnedSpans
    }

    /// The chain of one product's passes (rules.md R2, Non-Renewing Subscription).
    private mutating func derive(_ passes: [Pass], of product: Product) {
        guard let duration = product.duration else {
            inert += passes.map { Inert(transaction: $0.transaction, reason: .noDuration) }
            return
        }
        let ordered = passes.sorted {
            let (left, right) = ($0.transaction.purchaseDate ?? 0, $1.transaction.purchaseDate ?? 0)
            return left != right
                ? left < right
                : TransactionOrder.precedes($0.transaction.transactionId, $1.transaction.transactionId)
        }
        var previousEnd = Milliseconds.min
        for pass in ordered {
            guard let purchase = pass.transaction.purchaseDate else { continue }
            let start = product.stacking == .extend ? max(purchase, previousEnd) : purchase
            var bounds = [
                Grantor.Bound(
                    at: duration.end(from: start, count: pass.transaction.quantity), cause: .duration, rule: "R2")
            ]
            if let revocation = pass.transaction.revocationDate {
                bounds.append(Grantor.Bound(at: max(revocation, start), cause: .refund, rule: "R2"))
            }
            bounds.sort { $0.at < $1.at }
            previousEnd = bounds[0].at
            let whole = Interval(start, previousEnd)
            let intervals = pass.owned.clip(whole)
            guard !intervals.isEmpty else {
                inert.append(
                    Inert(
                        transaction: pass.transaction,
                        reason: whole.isEmpty ? .endsBeforeItStarts : .belongsToAnotherAccount))
                continue
            }
            grantors.append(
                Grantor(
                    origin: .transaction(pass.transaction, level: product.level), entitlements: product.entitlements,
                    start: start, bounds: bounds, regularEnd: previousEnd, graceEnd: nil, intervals: intervals))
        }
    }
}

extension Grantor {
    /// An operator's grant; nil when it never gave anything.
    init?(_ state: AccountState.GrantState) {
        var bounds: [Bound] = []
        if let until = state.grant.until { bounds.append(Bound(at: until, cause: .grantEnd, rule: "R4")) }
        if let revokedAt = state.revokedAt {
            bounds.append(Bound(at: revokedAt, cause: .grantRevoked, rule: "R4"))
        }
        bounds.sort { $0.at < $1.at }
        let end = bounds.first?.at ?? Interval.forever
        let interval = Interval(state.grant.from, end)
        guard !interval.isEmpty else { return nil }
        self.init(
            origin: .grant(state.grant, grantedAt: state.grantedAt, revokedAt: state.revokedAt),
            entitlements: [state.grant.entitlement], start: state.grant.from, bounds: bounds, regularEnd: end,
            graceEnd: nil, intervals: [interval])
    }
}

/// When a lineage is an account's.
struct OwnedSpans: Sendable {
    let timeline: [OwnerSpan]
    private let spans: [Interval]
    private let account: AccountID

    init(lineage: Lineage, account: AccountID) {
        timeline = lineage.ownerTimeline()
        self.account = account
        spans = timeline.indices.compactMap { [timeline] index in
            guard timeline[index].owner == account else { return nil }
            let end = index + 1 < timeline.count ? timeline[index + 1].start : Interval.forever
            return Interval(timeline[index].start, end)
        }
    }

    var isOwnerAtAll: Bool { !spans.isEmpty }

    func isOwner(at instant: Milliseconds) -> Bool { spans.contains { $0.contains(instant) } }

    func clip(_ interval: Interval) -> [Interval] {
        spans.map(interval.intersection).filter { !$0.isEmpty }
    }

    /// The instants at which ownership changes.
    var boundaries: [Milliseconds] { spans.flatMap { [$0.start, $0.end] } }
}
