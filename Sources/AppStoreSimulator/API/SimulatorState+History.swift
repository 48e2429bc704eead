import Entitlements
import Signatures

/// Transaction history and refund history, page by page.
extension SimulatorState {
    /// Sorted by what changed last, so that a changed transaction comes again at the end, also while somebody pages.
    mutating func history(_ id: String, _ request: APIRequest) throws -> APIAnswer {
        let customer = try customer(id)
        let filter = try HistoryFilter(request)
        let isDescending = filter.isDescending
        let matching = customer.purchases.compactMap { store.purchases[$0] }.filter(filter.admits)
            .sorted { isDescending ? $0.modification > $1.modification : $0.modification < $1.modification }
        let marks = [customer.appTransactionId] + request.filters
        let after = try Self.position(of: request, marks: marks)
        let rest = matching.filter { purchase in
            guard let after else { return true }
            return isDescending ? purchase.modification < after : purchase.modification > after
        }
        let page = rest.prefix(Self.pageSize)
        let signed = try page.map { JSONValue.string(try sign($0).signedTransaction) }
        var body: JSONObject = [
            // An empty page gives back the place it was asked from: who keeps it goes on from there.
            "revision": .string(Self.token(position: page.last?.modification ?? after ?? 0, marks: marks)),
            "hasMore": .bool(rest.count > page.count),
        ]
        for member in identity.members { body[member.name] = member.value }
        body["signedTransactions"] = .array(signed)
        return APIAnswer(body)
    }

    /// By the date of the refund.
    mutating func refundHistory(_ id: String, _ request: APIRequest) throws -> APIAnswer {
        let customer = try customer(id)
        let refunded = customer.purchases.compactMap { store.purchases[$0] }
            .filter { $0.revocation != nil && !$0.isShared }
            .sorted { ($0.revocation?.date ?? 0, $0.modification) < ($1.revocation?.date ?? 0, $1.modification) }
        let marks = [customer.appTransactionId, "refunds"]
        let after = try Self.position(of: request, marks: marks)
        let rest = refunded.dropFirst(Int(clamping: after ?? 0))
        let page = rest.prefix(Self.pageSize)
        let signed = try page.map { JSONValue.string(try sign($0).signedTransaction) }
        return APIAnswer([
            "signedTransactions": .array(signed),
            "revision": .string(Self.token(position: (after ?? 0) + Int64(page.count), marks: marks)),
            "hasMore": .bool(rest.count > page.count),
        ])
    }

    // MARK: Tokens of pages: a place, and a hash of what must be the same on every page

    static func token(position: Int64, marks: [String]) -> String {
        Base64URL.encode("\(position).\(hash(marks))".utf8)
    }

    static func position(in token: String, marks: [String]) -> Int64? {
        guard let bytes = Base64URL.decode(Array(token.utf8)[...]) else { return nil }
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: ".")
        guard parts.count == 2, parts[1] == hash(marks) else { return nil }
        return Int64(parts[0])
    }

    private static func position(of request: APIRequest, marks: [String]) throws(ServerAPIError) -> Int64? {
        guard let revision = try request.value("revision", orElse: .invalidRevision) else { return nil }
        guard let position = position(in: revision, marks: marks) else { throw .invalidRevision }
        return position
    }

    private static func hash(_ marks: [String]) -> String {
        String(SHA256.hash(Array(marks.joined(separator: "\n").utf8)).description.prefix(16))
    }
}

/// The filters of a transaction history: OR inside one name, AND between names.
struct HistoryFilter: Sendable {
    let isDescending: Bool
    private let start, end: Milliseconds?
    private let products, types, groups: [String]
    private let ownership: String?
    private let revoked: Bool?

    /// The query's words for the payload's.
    private static let typeNames = [
        "AUTO_RENEWABLE": ProductType.autoRenewable.rawValue, "NON_RENEWABLE": ProductType.nonRenewing.rawValue,
        "CONSUMABLE": ProductType.consumable.rawValue, "NON_CONSUMABLE": ProductType.nonConsumable.rawValue,
    ]

    init(_ request: APIRequest) throws(ServerAPIError) {
        start = try request.instant("startDate", orElse: .invalidStartDate)
        end = try request.instant("endDate", orElse: .invalidEndDate)
        if let start, let end, start > end { throw .startDateAfterEnd }
        switch try request.value("sort", orElse: .invalidSort) {
        case "ASCENDING", nil: isDescending = false
        case "DESCENDING": isDescending = true
        default: throw .invalidSort
        }
        products = request.values("productId")
        if products.contains("") { throw .invalidProductId }
        groups = request.values("subscriptionGroupIdentifier")
        if groups.contains("") { throw .invalidGroup }
        var types: [String] = []
        for name in request.values("productType") {
            guard let type = Self.typeNames[name] else { throw .invalidProductType }
            types.append(type)
        }
        self.types = types
        ownership = try request.value("inAppOwnershipType", orElse: .invalidOwnership)
        if let ownership, !Ownership(rawValue: ownership).isKnown { throw .invalidOwnership }
        // Apple's Python library writes True and False.
        switch try request.value("revoked", orElse: .invalidRevoked)?.lowercased() {
        case "true": revoked = true
        case "false": revoked = false
        case nil: revoked = nil
        default: throw .invalidRevoked
        }
    }

    func admits(_ purchase: Purchase) -> Bool {
        (start.map { purchase.purchaseDate >= $0 } ?? true) && (end.map { purchase.purchaseDate < $0 } ?? true)
            && (products.isEmpty || products.contains(purchase.product.id))
            && (types.isEmpty || types.contains(purchase.product.type.rawValue))
            && (groups.isEmpty || groups.contains(purchase.product.group ?? ""))
            && (ownership.map { $0 == purchase.ownership.rawValue } ?? true)
            && (revoked.map { $0 == (purchase.revocation != nil) } ?? true)
    }
}
