public import Entitlements

/// What the local App Store sells: the products of a StoreKit configuration, with prices, periods, offers and sharing.
public struct SaleCatalog: Sendable, Hashable {
    /// The products by id.
    public let products: [String: SaleProduct]
    /// Where the customers live, ISO 3166-1 alpha-3.
    public let storefront: String
    /// The same products as a catalog of entitlements would have them.
    public let configuration: StoreKitConfiguration

    /// Reads a configuration. Throws `DocumentError` for what ``StoreKitConfiguration`` refuses, and for a subscription
    /// without a period or a price that is no number.
    public init(_ document: JSONDocument) throws(DocumentError) {
        let configuration = try StoreKitConfiguration(document)
        let reader = SaleReader(configuration: configuration)
        self.configuration = configuration
        products = try reader.products(document.root)
        storefront = try reader.storefront(document.root)
    }
}

/// Reads what ``StoreKitConfiguration`` leaves out. Names are Xcode's, formats 3 to 5.
private struct SaleReader {
    let configuration: StoreKitConfiguration

    func storefront(_ root: JSONNode) throws(DocumentError) -> String {
        guard let settings = try JSONFields(foreign: root).present("settings"),
            let storefront = try JSONFields(foreign: settings).present("_storefront")
        else { return "USA" }
        return try storefront.text(limit: 3)
    }

    func products(_ root: JSONNode) throws(DocumentError) -> [String: SaleProduct] {
        let fields = try JSONFields(foreign: root)
        var products: [String: SaleProduct] = [:]
        func add(_ node: JSONNode) throws(DocumentError) {
            let product = try self.product(node)
            products[product.id] = product
        }
        for list in ["products", "nonRenewingSubscriptions"] {
            for node in try elements(of: fields, list) { try add(node) }
        }
        for group in try elements(of: fields, "subscriptionGroups") {
            for node in try elements(of: JSONFields(foreign: group), "subscriptions") { try add(node) }
        }
        return products
    }

    private func elements(of fields: JSONFields, _ name: String) throws(DocumentError) -> [JSONNode] {
        try fields.present(name)?.elements(limit: CatalogLimits.products) ?? []
    }

    private func product(_ node: JSONNode) throws(DocumentError) -> SaleProduct {
        let fields = try JSONFields(foreign: node)
        let id = try fields.required("productID").text()
        guard let known = configuration.products[id] else {
            throw node.error(.invalidValue, "the product \"\(id)\" is not sold in a way known here")
        }
        let isSubscription = known.type == .autoRenewable
        return SaleProduct(
            id: id, type: known.type, group: known.subscriptionGroup, level: known.level,
            period: isSubscription ? try period(fields, "recurringSubscriptionPeriod") : nil,
            price: try price(fields), isFamilyShareable: try fields.present("familyShareable")?.bool() ?? false,
            offers: try offers(fields))
    }

    private func offers(_ fields: JSONFields) throws(DocumentError) -> [SaleOffer] {
        var offers: [SaleOffer] = []
        if let node = try introductory(fields) { offers.append(try offer(node, .introductory)) }
        for (list, kind) in [("adHocOffers", SaleOffer.Kind.promotional), ("codeOffers", .code)] {
            for node in try elements(of: fields, list) { offers.append(try offer(node, kind)) }
        }
        for node in try elements(of: fields, "winbackOffers") { offers.append(try offer(node, .winBack)) }
        return offers
    }

    /// Format 5 has a list of them, by storefront and date; the first is taken.
    private func introductory(_ fields: JSONFields) throws(DocumentError) -> JSONNode? {
        if let one = fields.present("introductoryOffer") { return one }
        return try elements(of: fields, "introductoryOffers").first
    }

    private func offer(_ node: JSONNode, _ kind: SaleOffer.Kind) throws(DocumentError) -> SaleOffer {
        let fields = try JSONFields(foreign: node)
        let mode = fields.present("paymentMode")
        let discount: SaleOffer.Discount
        switch try mode?.text() {
        case "free", nil: discount = .freeTrial
        case "payAsYouGo": discount = .payAsYouGo
        case "payUpFront": discount = .payUpFront
        default: throw (mode ?? node).error(.invalidValue, "write \"free\", \"payAsYouGo\" or \"payUpFront\"")
        }
        let identifier = fields.present("offerID") ?? fields.present("referenceName")
        var period: CalendarDuration?
        if fields.present("subscriptionPeriod") != nil { period = try self.period(fields, "subscriptionPeriod") }
        return SaleOffer(
            kind: kind, identifier: kind == .introductory ? nil : try identifier?.text(), discount: discount,
            period: period, periodText: try fields.present("subscriptionPeriod")?.text(),
            count: try fields.present("numberOfPeriods")?.integer(in: 1...120) ?? 1,
            price: discount == .freeTrial ? 0 : try price(fields))
    }

    private func period(_ fields: JSONFields, _ name: String) throws(DocumentError) -> CalendarDuration {
        let node = try fields.required(name)
        guard let period = CalendarDuration(try node.text(limit: 32)) else {
            throw node.error(.invalidValue, "this is no ISO 8601 duration; write one like P1M")
        }
        return period
    }

    /// `4.99` as 4990.
    private func price(_ fields: JSONFields) throws(DocumentError) -> Int64 {
        let node = try fields.required("displayPrice")
        let parts = try node.text(limit: 16).split(separator: ".", omittingEmptySubsequences: false)
        let fraction = parts.count > 1 ? parts[1] : ""
        guard parts.count <= 2, fraction.count <= 3,
            let units = Int64(parts[0]),
            let thousandths = Int64(fraction + String(repeating: "0", count: 3 - fraction.count)),
            units >= 0, thousandths >= 0
        else { throw node.error(.invalidValue, "this is no price; write one like 4.99") }
        return units * 1000 + thousandths
    }
}
