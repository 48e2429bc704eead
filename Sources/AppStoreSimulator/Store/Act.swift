import Entitlements

/// Something that a customer, a parent, a bank, the App Store or the developer does.
public enum Act: Sendable, Hashable {
    /// Buys in the app.
    case buy(Order)
    /// Asks a parent: the purchase waits.
    case askToBuy(Order)
    /// The parent agrees: the purchase is made.
    case approve(String)
    /// The parent refuses.
    case decline(String)
    /// Redeems an offer code in the App Store: no token.
    case redeemOffer(Order)
    /// Switches the renewal of a subscription on or off.
    case setAutoRenew(PurchaseTarget, isOn: Bool)
    /// Changes to another product of the group.
    case changePlan(Order)
    /// From now on charging this customer fails.
    case failBilling(customer: String, hasGrace: Bool)
    /// Charging works again; what waits for it is charged at once.
    case recoverBilling(customer: String)
    /// The price rises for one subscriber, or for all. Price in thousandths; nil is a tenth more.
    case priceIncrease(product: String, customer: String?, price: Int64?, needsConsent: Bool)
    /// Answers a price increase.
    case consent(customer: String, product: String?, agrees: Bool)
    /// The App Store refunds. Percentage in thousandths of a percent; nil is all of it.
    case refund(PurchaseTarget, percentage: Int64?, reason: Int64)
    /// A refund is taken back.
    case reverseRefund(PurchaseTarget)
    /// The customer asks for a refund in the app; the reason is Apple's word.
    case requestRefund(PurchaseTarget, reason: String)
    /// The App Store refuses a refund.
    case declineRefund(PurchaseTarget)
    /// Makes these customers the family of one who shares.
    case shareWithFamily(customer: String, members: [String])
    /// A member leaves, or the purchaser does: then all lose what was shared.
    case leaveFamily(customer: String)
    /// Stops sharing one product, or all.
    case stopSharing(customer: String, product: String?)
    /// The developer moves the end of a subscription by days.
    case extend(PurchaseTarget, days: Int64, reason: Int64, request: String)
    /// The developer sets the token of a lineage.
    case setAppAccountToken(originalTransactionId: String, token: String)
    /// The developer takes a product from sale: what renews to it ends.
    case withdrawProduct(String)
}

/// What is bought, by whom and how.
public struct Order: Sendable, Hashable {
    /// The store account.
    public var customer: String
    /// The product.
    public var product: String
    /// How many; more than one for consumables and non-renewing subscriptions only.
    public var quantity: Int64
    /// The app's account, if the app names one.
    public var appAccountToken: String?
    /// The offer, by its name in the configuration.
    public var offer: String?

    /// An order.
    public init(
        customer: String, product: String, quantity: Int64 = 1, appAccountToken: String? = nil, offer: String? = nil
    ) {
        self.customer = customer
        self.product = product
        self.quantity = quantity
        self.appAccountToken = appAccountToken
        self.offer = offer
    }
}

/// Which transaction an act is about: by its id, or the newest one of a customer (and product) that has begun.
public struct PurchaseTarget: Sendable, Hashable {
    /// The transaction, or a lineage for its newest.
    public var transactionId: String?
    /// The store account.
    public var customer: String?
    /// The product.
    public var product: String?

    /// A target.
    public init(transactionId: String? = nil, customer: String? = nil, product: String? = nil) {
        self.transactionId = transactionId
        self.customer = customer
        self.product = product
    }
}
