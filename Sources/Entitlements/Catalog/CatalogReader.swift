extension Catalog {
    /// Reads a catalog file: `{"bundleId":…,"appAppleId":…,"products":{…},"policies":{…}}`. The defaults file of the worked
    /// cases, which has the last two inside `catalog`, is taken too. Throws `DocumentError` at the first mistake.
    public init(_ document: JSONDocument) throws(DocumentError) {
        let isWrapped = document.root.value.objectValue?["catalog"] != nil
        let app: JSONFields
        let content: JSONFields
        if isWrapped {
            app = try document.root.fields(
                required: ["bundleId", "catalog"], optional: ["appAppleId", "accounts", "known"])
            content = try app.required("catalog").fields(required: ["products"], optional: ["policies"])
        } else {
            app = try document.root.fields(required: ["bundleId", "products"], optional: ["appAppleId", "policies"])
            content = app
        }
        self.init(
            bundleId: try app.required("bundleId").identifier(),
            appAppleId: try app.present("appAppleId")?.integer(in: 1...Int64.max),
            products: try Product.readAll(content.required("products")),
            policies: try content.present("policies").map { (node) throws(DocumentError) in try Policies(node) }
                ?? Policies())
    }
}

extension JSONNode {
    /// An id chosen by the operator. Throws `wrongKind`, `outOfRange`, or `invalidValue` for one that people would
    /// mistake for another: with space around it or with control characters.
    public func identifier(limit: Int = CatalogLimits.idBytes) throws(DocumentError) -> String {
        let id = try text(limit: limit)
        guard let reason = Self.flaw(of: id) else { return id }
        throw error(.invalidValue, "\"\(id)\" \(reason)")
    }

    static func flaw(of id: String) -> String? {
        if id.first?.isWhitespace == true || id.last?.isWhitespace == true {
            return "begins or ends with a space; remove it"
        }
        let isControl = { (scalar: Unicode.Scalar) in scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) }
        return id.unicodeScalars.contains(where: isControl) ? "holds a control character; remove it" : nil
    }
}

/// Refuses ids that differ only by upper and lower case or by how Unicode spells them: such a pair is a slip of the pen, and
/// people, and Swift's strings, mix them up.
struct SimilarIDs {
    private let kind: String
    private var seen: [String: String] = [:]

    init(kind: String) { self.kind = kind }

    mutating func check(_ id: String, _ node: JSONNode) throws(DocumentError) {
        let former = seen.updateValue(id, forKey: id.lowercased())
        guard let former, !former.utf8.elementsEqual(id.utf8) else { return }
        let difference = former == id ? "the Unicode form of its letters" : "upper and lower case"
        throw node.error(
            .duplicate, "the \(kind) \"\(id)\" differs from \"\(former)\" only by \(difference); use one of them")
    }
}

extension Product {
    /// Reads `products`: an object of products by id. Throws `DocumentError` at the first mistake.
    public static func readAll(_ node: JSONNode) throws(DocumentError) -> [String: Product] {
        var products: [String: Product] = [:]
        var ids = SimilarIDs(kind: "product")
        var entitlements = SimilarIDs(kind: "entitlement")
        var currencies = SimilarIDs(kind: "currency")
        for (id, node) in try node.members(limit: CatalogLimits.products) {
            guard (1...CatalogLimits.idBytes).contains(id.utf8.count) else {
                throw node.error(.outOfRange, "a product id has 1 to \(CatalogLimits.idBytes) bytes")
            }
            if let flaw = JSONNode.flaw(of: id) { throw node.error(.invalidValue, "the product id \"\(id)\" \(flaw)") }
            try ids.check(id, node)
            let product = try Product(node)
            for entitlement in product.entitlements { try entitlements.check(entitlement, node) }
            if let credits = product.credits { try currencies.check(credits.currency, node) }
            products[id] = product
        }
        return products
    }

    private init(_ node: JSONNode) throws(DocumentError) {
        let fields = try node.fields(
            required: ["type"],
            optional: ["subscriptionGroup", "level", "entitlements", "credits", "duration", "stacking"])
        self.init(type: try Self.type(fields.required("type")))
        subscriptionGroup = try fields.present("subscriptionGroup")?.identifier()
        level = try fields.present("level")?.integer(in: 0...CatalogLimits.level) ?? 0
        if let node = fields.present("entitlements") { entitlements = try Self.entitlements(node) }
        if let node = fields.present("credits") { credits = try Credits(node) }
        if let node = fields.present("duration") { duration = try Self.duration(node) }
        if let node = fields.present("stacking") { stacking = try node.word() }
        try checkTogether(fields)
    }

    /// What a product must and must not have, by its type.
    private func checkTogether(_ fields: JSONFields) throws(DocumentError) {
        if type == .consumable {
            guard credits != nil else {
                throw fields.owner.error(.missingKey, "a consumable must say what it credits; add \"credits\"")
            }
            if !entitlements.isEmpty, let node = fields["entitlements"] {
                throw node.error(.invalidValue, "a consumable grants no entitlement, only credits; remove this")
            }
        } else {
            guard !entitlements.isEmpty else {
                throw (fields["entitlements"] ?? fields.owner).error(
                    .missingKey, "this product grants nothing; name at least one entitlement in \"entitlements\"")
            }
            if credits != nil, let node = fields["credits"] {
                throw node.error(.invalidValue, "only a \"Consumable\" credits; remove this or mend the type")
            }
        }
        if type == .nonRenewing {
            guard duration != nil else {
                throw fields.owner.error(
                    .missingKey,
                    "a non-renewing subscription must say how long it runs; add \"duration\", like \"P30D\"")
            }
        } else if let node = fields.present("duration") ?? fields.present("stacking") {
            throw node.error(.invalidValue, "only a \"Non-Renewing Subscription\" has this; remove it or mend the type")
        }
    }

    private static func type(_ node: JSONNode) throws(DocumentError) -> ProductType {
        let type = ProductType(rawValue: try node.text())
        guard ProductType.known.contains(type) else {
            let known = ProductType.known.map { "\"\($0.rawValue)\"" }.sorted().joined(separator: ", ")
            throw node.error(.invalidValue, "\"\(type.rawValue)\" is no product type; write one of \(known)")
        }
        return type
    }

    private static func entitlements(_ node: JSONNode) throws(DocumentError) -> [String] {
        var ids: [String] = []
        for element in try node.elements(limit: CatalogLimits.entitlementsPerProduct) {
            let id = try element.identifier()
            guard !ids.contains(id) else {
                throw element.error(.duplicate, "the entitlement \"\(id)\" stands here twice; remove one")
            }
            ids.append(id)
        }
        return ids
    }

    private static func duration(_ node: JSONNode) throws(DocumentError) -> CalendarDuration {
        let text = try node.text()
        guard let duration = CalendarDuration(text) else {
            throw node.error(
                .invalidValue,
                "\"\(text)\" is no duration; write ISO 8601 above zero, like \"P30D\", \"P1M\" or \"P1Y\"")
        }
        return duration
    }
}

extension Product.Credits {
    fileprivate init(_ node: JSONNode) throws(DocumentError) {
        let fields = try node.fields(required: ["currency", "amount"])
        self.init(
            currency: try fields.required("currency").identifier(),
            amount: try fields.required("amount").integer(in: 1...CatalogLimits.creditAmount))
    }
}

extension Policies {
    /// Reads `policies`; what is not said stays as in `defaults`. Throws `DocumentError` at the first mistake.
    public init(_ node: JSONNode, defaults: Policies = Policies()) throws(DocumentError) {
        let fields = try node.fields(
            optional: ["honorGracePeriod", "refundDebt", "transfer", "transferLimit", "offlineGrace", "staleAccess"])
        self = defaults
        if let node = fields["honorGracePeriod"] { honorGracePeriod = try node.bool() }
        if let node = fields["refundDebt"] { refundDebt = try node.word() }
        if let node = fields["transfer"] { transfer = try node.word() }
        if let node = fields["transferLimit"] { transferLimit = try node.integer(in: 0...CatalogLimits.transfers) }
        if let node = fields["offlineGrace"] { offlineGrace = try Self.offlineGrace(node) }
        if let node = fields["staleAccess"] { staleAccess = try node.word() }
    }

    private static func offlineGrace(_ node: JSONNode) throws(DocumentError) -> Milliseconds {
        let text = try node.text()
        guard let duration = CalendarDuration(text), duration.months == 0,
            duration.milliseconds <= CatalogLimits.offlineGrace
        else {
            throw node.error(
                .invalidValue,
                "\"\(text)\" is no time offline; write an ISO 8601 duration of days or hours up to a year, like \"P3D\""
            )
        }
        return duration.milliseconds
    }
}
