import Entitlements

/// A lineage of one subscription: all periods of one customer in one group (entitlement-facts.md 4). Members of a family have
/// lineages of their own, which follow the purchaser's.
struct Subscription: Sendable, Hashable {
    let originalTransactionId: String
    let customer: String
    let group: String
    let originalPurchaseDate: Milliseconds
    /// The purchaser's lineage that this one shares; nil for the purchaser's own.
    let sharedFrom: String?
    /// Transactions in the order they begin; the last may begin in the future.
    var periods: [String] = []
    var isAutoRenewing = true
    /// What the next period is of.
    var nextProduct: String
    /// Start of the present run, gaps of 60 days and less left in.
    var recentStart: Milliseconds
    var phase = Phase.running
    /// The token that later periods carry.
    var appAccountToken: String?
    /// Lineages of members that follow this one.
    var members: [String] = []
    /// Whether the purchaser lets the family use it.
    var isShareable = true
    var priceIncrease: PriceIncrease?
    /// What this customer pays for a product, where it is not the price of today.
    var agreedPrices: [String: Int64] = [:]
    /// An offer whose periods are not over, with the number of those to come.
    var runningOffer: RunningOffer?
    /// When it was extended (entitlement-facts.md 6: two within 365 days).
    var extensions: [Milliseconds] = []

    enum Phase: Sendable, Hashable {
        /// Paid for, or about to end.
        case running
        /// Charging failed; access lasts until then.
        case grace(until: Milliseconds)
        /// Charging failed; tried until then.
        case retry(until: Milliseconds)
        case expired(Intent)
    }

    /// Apple's numbers of `expirationIntent`.
    enum Intent: Int64, Sendable, Hashable {
        case cancelled = 1
        case billing = 2
        case noConsent = 3
        case notForSale = 4

        var subtype: String {
            switch self {
            case .cancelled: "VOLUNTARY"
            case .billing: "BILLING_RETRY"
            case .noConsent: "PRICE_INCREASE"
            case .notForSale: "PRODUCT_NOT_FOR_SALE"
            }
        }
    }

    struct PriceIncrease: Sendable, Hashable {
        let product: String
        let price: Int64
        /// Nil: not answered.
        var agrees: Bool?
    }

    struct RunningOffer: Sendable, Hashable {
        let offer: SaleOffer
        var remaining: Int64
    }

    var isExpired: Bool { if case .expired = phase { true } else { false } }
    var isInTrouble: Bool {
        switch phase {
        case .grace, .retry: true
        case .running, .expired: false
        }
    }
}
