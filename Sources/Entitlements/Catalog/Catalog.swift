/// What an app sells and what each product unlocks, with the app's policies.
public struct Catalog: Sendable, Hashable {
    /// The app.
    public var bundleId: String
    /// The app's number in the App Store; Production needs it.
    public var appAppleId: Int64?
    /// Products by id.
    public var products: [String: Product]
    /// The app's choices where the rules leave one.
    public var policies: Policies

    /// A catalog.
    public init(
        bundleId: String, appAppleId: Int64? = nil, products: [String: Product] = [:], policies: Policies = Policies()
    ) {
        self.bundleId = bundleId
        self.appAppleId = appAppleId
        self.products = products
        self.policies = policies
    }

    /// The product of that id, byte for byte: Swift's texts are equal in every Unicode form, the App Store's ids are not.
    public func product(_ id: String) -> Product? {
        guard let index = products.index(forKey: id) else { return nil }
        let (key, product) = products[index]
        return key.utf8.elementsEqual(id.utf8) ? product : nil
    }
}

/// One product of the catalog.
public struct Product: Sendable, Hashable {
    /// Apple's kind.
    public var type: ProductType
    /// Subscriptions of one group replace each other.
    public var subscriptionGroup: String?
    /// Service level: the higher one describes (rules.md R4).
    public var level: Int64
    /// What owning it unlocks.
    public var entitlements: [String]
    /// What a consumable credits (rules.md R6).
    public var credits: Credits?
    /// How long a non-renewing subscription runs (rules.md R2).
    public var duration: CalendarDuration?
    /// How several purchases of a non-renewing subscription go together.
    public var stacking: Stacking

    /// A product.
    public init(
        type: ProductType, subscriptionGroup: String? = nil, level: Int64 = 0, entitlements: [String] = [],
        credits: Credits? = nil, duration: CalendarDuration? = nil, stacking: Stacking = .extend
    ) {
        self.type = type
        self.subscriptionGroup = subscriptionGroup
        self.level = level
        self.entitlements = entitlements
        self.credits = credits
        self.duration = duration
        self.stacking = stacking
    }

    /// How purchases of one non-renewing product go together (rules.md R2).
    public enum Stacking: String, Sendable, Hashable, CaseIterable {
        /// One begins where the one before ends.
        case extend
        /// Each runs from its own purchase.
        case overlap
    }

    /// What one piece of a consumable is worth.
    public struct Credits: Sendable, Hashable {
        /// The name of the balance.
        public var currency: String
        /// How much one piece adds; positive.
        public var amount: Int64

        /// Credits.
        public init(currency: String, amount: Int64) {
            self.currency = currency
            self.amount = amount
        }
    }
}
