import Entitlements

/// A StoreKit configuration that is to become a catalog.
struct CatalogImport: Sendable {
    let configuration: StoreKitConfiguration
    /// Where to write it; nil for standard output.
    let output: String?
    /// Whether to put it into force instead.
    let applies: Bool

    /// The catalog in force with the products of the configuration; what the file cannot say stays.
    func catalog(replacing current: Catalog) -> Catalog {
        var catalog = current
        catalog.products = configuration.products
        return catalog
    }
}
