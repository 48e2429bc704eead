/// A decoded `JWSTransactionDecodedPayload`: one purchase or one period. Every member stays in `content`; those that the
/// rules ask for are read once.
public struct Transaction: Sendable, Hashable {
    /// All members but the signing ones, unknown ones included (rules.md R8).
    public let content: SignedContent
    /// When Apple signed this copy; nil counts as oldest (rules.md R1).
    public internal(set) var signedDate: Milliseconds?
    /// The purchase or period.
    public let transactionId: String
    /// The lineage.
    public let originalTransactionId: String
    /// The product bought.
    public let productId: String
    /// What kind of product.
    public let type: ProductType
    /// Whose it is, as Apple says.
    public let ownership: Ownership
    /// Start of the period.
    public let purchaseDate: Milliseconds?
    /// End of an auto-renewable period.
    public let expiresDate: Milliseconds?
    /// When it was refunded or revoked.
    public let revocationDate: Milliseconds?
    /// Whether an upgrade replaced it.
    public let isUpgraded: Bool
    /// How many; absent is 1 (rules.md R0).
    public let quantity: Int64
    /// The account the app named at the purchase: a known UUID's text is no proof, see rules.md R7.
    public let appAccountToken: AccountID?
    /// Present when this transaction adds seats to a running period (rules.md R2).
    public let isSeatAddition: Bool

    /// Reads a payload. Nil when the ids are missing: then nothing can be said of it (rules.md R0 `malformed`).
    public init?(payload: JSONObject) {
        self.init(
            content: SignedContent(payload: payload), signedDate: payload["signedDate"].flatMap(SignedContent.date))
    }

    init?(content: SignedContent, signedDate: Milliseconds?) {
        guard let transactionId = content.text("transactionId"), !transactionId.isEmpty,
            let originalTransactionId = content.text("originalTransactionId"), !originalTransactionId.isEmpty
        else { return nil }
        self.content = content
        self.signedDate = signedDate
        self.transactionId = transactionId
        self.originalTransactionId = originalTransactionId
        productId = content.text("productId") ?? ""
        type = ProductType(rawValue: content.text("type") ?? "")
        ownership =
            content.members["inAppOwnershipType"].map { Ownership(rawValue: $0.stringValue ?? "") } ?? .purchased
        purchaseDate = content.date("purchaseDate")
        expiresDate = content.date("expiresDate")
        revocationDate = content.date("revocationDate")
        isUpgraded = content.bool("isUpgraded") ?? false
        quantity = content.members["quantity"].map { $0.integerValue ?? 0 } ?? 1
        appAccountToken = content.text("appAccountToken").flatMap(AccountID.init)
        isSeatAddition = content.members["additionalTransactionReason"] != nil
    }

    /// Whether every date that decides anything lies in 2000 to 2100 (rules.md R0).
    public var hasPlausibleDates: Bool {
        [signedDate, purchaseDate, expiresDate, revocationDate].allSatisfy { $0.map(Time.plausible.contains) ?? true }
    }

    /// The app this belongs to.
    public var bundleId: String? { content.text("bundleId") }
    /// Where it was signed; old payloads have none.
    public var environment: Environment? { content.text("environment").map(Environment.init) }
}

/// A product's kind, Apple's spelling; unknown values are kept and grant nothing (rules.md R2).
public struct ProductType: RawRepresentable, Sendable, Hashable {
    /// Apple's spelling.
    public let rawValue: String
    /// A kind by Apple's spelling.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Renews by itself.
    public static let autoRenewable = ProductType(rawValue: "Auto-Renewable Subscription")
    /// Owned for ever.
    public static let nonConsumable = ProductType(rawValue: "Non-Consumable")
    /// Used up.
    public static let consumable = ProductType(rawValue: "Consumable")
    /// Lasts as long as the catalog says.
    public static let nonRenewing = ProductType(rawValue: "Non-Renewing Subscription")

    /// The four kinds the rules know.
    public static let known: Set<ProductType> = [.autoRenewable, .nonConsumable, .consumable, .nonRenewing]
}

/// How a customer came to a transaction, Apple's spelling; unknown values are kept and grant nothing (rules.md R2).
public struct Ownership: RawRepresentable, Sendable, Hashable {
    /// Apple's spelling.
    public let rawValue: String
    /// An ownership by Apple's spelling.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Bought by this customer.
    public static let purchased = Ownership(rawValue: "PURCHASED")
    /// Shared by a family member.
    public static let familyShared = Ownership(rawValue: "FAMILY_SHARED")

    /// Whether the rules know it.
    public var isKnown: Bool { self == .purchased || self == .familyShared }
}
