/// A StoreKit configuration of Xcode (`.storekit`, formats 3 to 5), turned into a catalog. The format names no entitlements,
/// credits or durations; what had to be assumed is said, so that the operator can mend it.
public struct StoreKitConfiguration: Sendable, Hashable {
    /// The products found.
    public let products: [String: Product]
    /// One sentence for each thing the file does not say and that was filled in.
    public let assumptions: [String]

    /// How long a non-renewing subscription runs until the operator says otherwise.
    public static let assumedDuration = CalendarDuration(milliseconds: 30 * Time.day)

    /// Reads a configuration. Throws `DocumentError` for an unknown format version or a product that cannot be read.
    /// Members that say nothing about what is sold are passed over: Xcode adds new ones with every release.
    public init(_ document: JSONDocument) throws(DocumentError) {
        var reader = StoreKitReader()
        try reader.read(document.root)
        products = reader.products
        assumptions = reader.assumptions
    }

    /// The products as a catalog of that app, with the default policies.
    public func catalog(bundleId: String, appAppleId: Int64? = nil) -> Catalog {
        Catalog(bundleId: bundleId, appAppleId: appAppleId, products: products)
    }
}

private struct StoreKitReader {
    var products: [String: Product] = [:]
    var assumptions: [String] = []

    mutating func read(_ root: JSONNode) throws(DocumentError) {
        let fields = try JSONFields(foreign: root)
        let version = try JSONFields(foreign: fields.required("version")).required("major")
        guard let major = version.value.integerValue, (3...5).contains(major) else {
            throw version.error(
                .outOfRange, "this format version is unknown; save the file with an Xcode of formats 3 to 5")
        }
        for list in ["products", "nonRenewingSubscriptions"] {
            for node in try fields.present(list)?.elements(limit: CatalogLimits.products) ?? [] { try product(node) }
        }
        for node in try fields.present("subscriptionGroups")?.elements(limit: CatalogLimits.products) ?? [] {
            try group(node)
        }
    }

    private mutating func product(_ node: JSONNode) throws(DocumentError) {
        let fields = try JSONFields(foreign: node)
        let id = try fields.required("productID").identifier()
        let type = try fields.required("type")
        switch try type.text() {
        case "NonConsumable":
            assumptions.append("\(id): entitlement \"\(id)\" (the file names none)")
            try add(id, Product(type: .nonConsumable, entitlements: [id]), node)
        case "Consumable":
            assumptions.append("\(id): credits 1 of the currency \"\(id)\" (the file says no amount)")
            try add(id, Product(type: .consumable, credits: .init(currency: id, amount: 1)), node)
        case "NonRenewingSubscription":
            let duration = StoreKitConfiguration.assumedDuration
            assumptions.append("\(id): duration \(duration.text) and entitlement \"\(id)\" (the file says neither)")
            try add(id, Product(type: .nonRenewing, entitlements: [id], duration: duration), node)
        default:
            throw type.error(
                .invalidValue, "this kind of product is unknown here; take the product out or mend its type")
        }
    }

    private mutating func group(_ node: JSONNode) throws(DocumentError) {
        let fields = try JSONFields(foreign: node)
        let group = try fields.required("id").identifier()
        let name = try fields.present("name")?.identifier() ?? group
        var found: [(id: String, rank: Int64, node: JSONNode)] = []
        for node in try fields.required("subscriptions").elements(limit: CatalogLimits.products) {
            let subscription = try JSONFields(foreign: node)
            let rank = try subscription.present("groupNumber")?.integer(in: 1...CatalogLimits.level) ?? 1
            found.append((try subscription.required("productID").identifier(), rank, node))
        }
        guard let lowest = found.map(\.rank).max() else { return }
        // In Xcode 1 is the highest service level; here the greater number is.
        for (id, rank, node) in found {
            let product = Product(
                type: .autoRenewable, subscriptionGroup: group, level: lowest - rank + 1, entitlements: [name])
            try add(id, product, node)
        }
        assumptions.append(
            "\(found.map(\.id).joined(separator: ", ")): entitlement \"\(name)\", the name of the subscription group")
    }

    private mutating func add(_ id: String, _ product: Product, _ node: JSONNode) throws(DocumentError) {
        guard products.updateValue(product, forKey: id) == nil else {
            throw node.error(.duplicate, "the product \"\(id)\" stands in the file twice; remove one")
        }
    }
}
