public import Entitlements

/// What a local App Store is like: the app it sells for, and the spans of time that Apple leaves to the developer or keeps.
public struct StoreSettings: Sendable, Hashable {
    /// The app.
    public var bundleId: String
    /// The app's number in the App Store.
    public var appAppleId: Int64
    /// The app's version, as notifications tell it.
    public var bundleVersion = "1"
    /// What it signs as.
    public var environment: Environment
    /// How long before the end of a period the next one is charged and signed (entitlement-facts.md 4.3); never more than a
    /// quarter of the period.
    public var renewsAhead = Time.day
    /// Length of the grace period, for customers whose billing fails with grace.
    public var grace = 16 * Time.day
    /// How long the store tries to charge before it gives up.
    public var retry = 60 * Time.day
    /// How long after its end a subscription is told to have ended (16 s and more were measured).
    public var expiryNotice: Milliseconds = 16_000
    /// Begins the numbers of transactions and the random choices: two stores of one seed do the same.
    public var seed: UInt64

    /// A store for an app. Sandbox unless said otherwise.
    public init(bundleId: String, appAppleId: Int64, environment: Environment = .sandbox, seed: UInt64 = 1) {
        self.bundleId = bundleId
        self.appAppleId = appAppleId
        self.environment = environment
        self.seed = seed
    }

    /// A gap longer than this between periods begins a new run of a subscription (`recentSubscriptionStartDate`).
    var runGap: Milliseconds { 60 * Time.day }
}
