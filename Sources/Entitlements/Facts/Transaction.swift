/// A decoded `JWSTransactionDecodedPayload`: one purchase or one period. Every member stays in `content`; those that the
/// rules ask for are read once.
public struct Transaction: Sendable {
    /// Read once and shared: derivations pass transactions around by the thousand.
    private let fields: Fields
    /// When Apple signed this copy; nil counts as oldest (rules.md R1).
    public internal(set) var signedDate: Milliseconds?

    /// All members but the signing ones, unknown ones included (rules.md R8).
    public var content: SignedContent { fields.content }
    /// The content as states store it.
    var storedContent: [UInt8] { fields.stored }
    /// The purchase or period.
    public var transactionId: String { fields.transactionId }
    /// The lineage.
    public var originalTransactionId: String { fields.originalTransactionId }
    /// The product bought.
    public var productId: String { fields.productId }
    /// What kind of product.
    public var type: ProductType { fields.type }
    /// Whose it is, as Apple says.
    public var ownership: Ownership { fields.ownership }
    /// Start of the period.
    public var purchaseDate: Milliseconds? { fields.purchaseDate }
    /// End of an auto-renewable period.
    public var expiresDate: Milliseconds? { fields.expiresDate }
    /// When it was refunded or revoked.
    public var revocationDate: Milliseconds? { fields.revocationDate }
    /// Whether an upgrade replaced it.
    public var isUpgraded: Bool { fields.isUpgraded }
    /// How many; absent is 1 (rules.md R0).
    public var quantity: Int64 { fields.quantity }
    /// The account the app named at the purchase: a known UUID's text is no proof, see rules.md R7.
    public var appAccountToken: AccountID? { fields.appAccountToken }
    /// Present when this transaction adds seats to a running period (rules.md R2).
    public var isSeatAddition: Bool { fields.isSeatAddition }

    /// Reads a payload. Nil when the ids are missing: then nothing can be said of it (rules.md R0 `malformed`).
    public init?(payload: JSONObject) {
        self.init(
            content: SignedContent(payload: payload), signedDate: payload["signedDate"].flatMap(SignedContent.date))
    }

    /// `stored`: the content's bytes in a state it was read from.
    init?(content: SignedContent, stored: [UInt8]? = nil, signedDate: Milliseconds?) {
        guard let fields = Fields(content, stored: stored ?? content.stored) else { return nil }
        self.fields = fields
        self.signedDate = signedDate
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

extension Transaction: Hashable {
    /// Whether both say the same, signed at the same date.
    public static func == (left: Transaction, right: Transaction) -> Bool {
        left.signedDate == right.signedDate && (left.fields === right.fields || left.content == right.content)
    }

    /// Hashes what decides equality.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(signedDate)
        hasher.combine(content)
    }
}

extension Transaction {
    /// What is read out of the content.
    private final class Fields: Sendable {
        let content: SignedContent
        /// A state is stored at each append and holds all transactions: their bytes are made once.
        let stored: [UInt8]
        let transactionId: String
        let originalTransactionId: String
        let productId: String
        let type: ProductType
        let ownership: Ownership
        let purchaseDate: Milliseconds?
        let expiresDate: Milliseconds?
        let revocationDate: Milliseconds?
        let isUpgraded: Bool
        let quantity: Int64
        let appAccountToken: AccountID?
        let isSeatAddition: Bool

        init?(_ content: SignedContent, stored: [UInt8]) {
            guard let transactionId = content.identifier("transactionId"),
                let originalTransactionId = content.identifier("originalTransactionId")
            else { return nil }
            self.content = content
            self.stored = stored
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
    }
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
