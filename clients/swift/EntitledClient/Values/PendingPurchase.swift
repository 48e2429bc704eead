public import Entitlements

/// A purchase that somebody else has to approve (Ask to Buy, a bank): StoreKit's `Product.PurchaseResult.pending`. There is no
/// transaction yet, maybe there never will be, and it grants nothing.
public struct PendingPurchase: Sendable, Hashable {
    /// What is to be bought.
    public let productId: String
    /// When the app reported it, by the trusted time.
    public let since: Milliseconds
    /// From when it counts as declined.
    public let until: Milliseconds

    /// How much the clocks of device and store may differ.
    static let clockSlack: Milliseconds = 600_000

    /// Whether a transaction of this product, bought then, is what was waited for: not one of an older purchase.
    func isSettled(byPurchaseOf productId: String?, at purchaseDate: Milliseconds) -> Bool {
        productId == self.productId && purchaseDate >= since - Self.clockSlack
    }
}
