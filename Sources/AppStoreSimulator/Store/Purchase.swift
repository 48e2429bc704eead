import Entitlements

/// One transaction: a purchase, or one period of a subscription. What is signed is made from it (signed-data.md section 1).
struct Purchase: Sendable, Hashable {
    let transactionId: String
    let originalTransactionId: String
    /// Subscriptions only; one for each period.
    let webOrderLineItemId: String?
    let orderId: String
    let customer: String
    let product: SaleProduct
    let purchaseDate: Milliseconds
    let originalPurchaseDate: Milliseconds
    var expiresDate: Milliseconds?
    let quantity: Int64
    var appAccountToken: String?
    let isShared: Bool
    let isRenewal: Bool
    let price: Int64
    let offer: SaleOffer?
    var isUpgraded = false
    var revocation: Revocation?
    /// The purchaser's transaction that this one shares.
    let sharedFrom: String?
    /// Grows with every change in the store: what changed last is delivered last (server-api.md, history).
    var modification: Int64 = 0
    /// When it was finished by the server, for consumables.
    var isFinished = false

    struct Revocation: Sendable, Hashable {
        let date: Milliseconds
        /// Apple's number: 0 other, 1 a problem in the app.
        let reason: Int64
        let type: String
        /// Thousandths of a percent; nil where the type has none.
        let percentage: Int64?
    }

    var isSubscription: Bool { product.type == .autoRenewable }
    var ownership: Ownership { isShared ? .familyShared : .purchased }
}

extension Purchase {
    /// The payload of a copy signed at an instant.
    func payload(_ settings: StoreSettings, storefront: Storefront, appTransactionId: String, signedAt: Milliseconds)
        -> JSONObject
    {
        var fields = Fields()
        fields.add("transactionId", transactionId)
        fields.add("originalTransactionId", originalTransactionId)
        fields.add("webOrderLineItemId", webOrderLineItemId)
        fields.add("bundleId", settings.bundleId)
        fields.add("productId", product.id)
        fields.add("subscriptionGroupIdentifier", product.group)
        fields.add("purchaseDate", purchaseDate)
        fields.add("originalPurchaseDate", originalPurchaseDate)
        fields.add("expiresDate", expiresDate)
        fields.add("quantity", quantity)
        fields.add("type", product.type.rawValue)
        fields.add("appAccountToken", appAccountToken)
        fields.add("inAppOwnershipType", ownership.rawValue)
        fields.add("signedDate", signedAt)
        fields.add("revocationReason", revocation?.reason)
        fields.add("revocationDate", revocation?.date)
        fields.add("revocationType", revocation?.type)
        fields.add("revocationPercentage", revocation?.percentage)
        // Present only when true.
        fields.add("isUpgraded", isUpgraded ? true : nil)
        fields.add("offerType", offer?.kind.rawValue)
        fields.add("offerIdentifier", offer?.identifier)
        fields.add("environment", settings.environment.rawValue)
        fields.add("transactionReason", isRenewal ? "RENEWAL" : "PURCHASE")
        fields.add("storefront", storefront.country)
        fields.add("storefrontId", storefront.identifier)
        fields.add("price", price)
        fields.add("currency", storefront.currency)
        fields.add("offerDiscountType", offer?.discount.rawValue)
        fields.add("appTransactionId", appTransactionId)
        fields.add("offerPeriod", offer?.periodText)
        return fields.object
    }
}

/// Builds a payload: an absent value is an absent member, never null (signed-data.md section 0).
struct Fields {
    private var members: [(String, JSONValue)] = []

    mutating func add(_ name: String, _ value: String?) {
        if let value { members.append((name, .string(value))) }
    }

    mutating func add(_ name: String, _ value: Int64?) {
        if let value { members.append((name, .integer(value))) }
    }

    mutating func add(_ name: String, _ value: Bool?) {
        if let value { members.append((name, .bool(value))) }
    }

    mutating func add(_ name: String, _ value: JSONValue) { members.append((name, value)) }

    var object: JSONObject { JSONObject(members) }
}
