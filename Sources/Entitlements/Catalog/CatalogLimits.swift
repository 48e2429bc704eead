/// What a catalog may hold at most.
public enum CatalogLimits {
    /// Products of one app.
    public static let products = 10_000
    /// Entitlements of one product.
    public static let entitlementsPerProduct = 100
    /// Bytes of a product, entitlement, group or currency id.
    public static let idBytes = 255
    /// What one piece of a consumable may credit: leaves room for quantities and sums in 64 bits.
    public static let creditAmount: Int64 = 1_000_000_000_000
    /// The highest service level.
    public static let level: Int64 = 1_000_000
    /// The most restores that may move a lineage within 30 days.
    public static let transfers: Int64 = 1000
    /// How long a client may answer without a fetch.
    public static let offlineGrace: Milliseconds = 366 * Time.day
}
