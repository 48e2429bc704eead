import Entitlements

/// An Apple Account as the app's store sees it.
struct Customer: Sendable, Hashable {
    let name: String
    /// One for each account and app, different for every member of a family.
    let appTransactionId: String
    /// When the app was first downloaded.
    let since: Milliseconds
    /// All transactions, own and shared, in the order they came to be.
    var purchases: [String] = []
    /// Lineages of subscriptions, own and shared.
    var subscriptions: [String] = []
    /// Members who use what this customer shares.
    var members: [String] = []
    /// Whether charging this customer fails; with the length of grace, if there is one.
    var billingFails: BillingFailure?
    /// Groups in which an introductory offer was used.
    var usedIntroductory: Set<String> = []

    struct BillingFailure: Sendable, Hashable {
        let hasGrace: Bool
    }
}
