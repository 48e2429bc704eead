import Entitlements
import Signatures

/// The endpoints of the App Store Server API (server-api.md section 3). Everything is signed when it is asked for.
extension SimulatorState {
    /// Items on a page of a history.
    static let pageSize = 20

    /// Throws ``ServerAPIError``, or `SignatureError` if OpenSSL cannot sign.
    mutating func answer(_ route: APIRoute, _ places: [String], _ request: APIRequest) throws -> APIAnswer {
        switch route {
        case .transactionInfo: return try transactionInfo(places[0])
        case .history: return try history(places[0], request)
        case .statuses: return try statuses(places[0], request)
        case .notificationHistory: return try notificationHistory(request)
        case .testNotification: return try requestTestNotification()
        case .testNotificationStatus: return try testNotificationStatus(places[0])
        case .lookUpOrder: return try lookUp(order: places[0])
        case .consumption: return try takeConsumption(places[0], request)
        case .extendRenewal: return try extendRenewal(places[0], request)
        case .extendAll: return try extendAll(request)
        case .extendAllStatus: return try extendAllStatus(product: places[0], request: places[1])
        case .setAppAccountToken: return try setAppAccountToken(places[0], request)
        case .refundHistory: return try refundHistory(places[0], request)
        case .appTransaction: return try appTransaction(places[0])
        case .finish: return try finish(places[0])
        }
    }

    // MARK: Who is asked about

    /// Ids look like numbers, and are text.
    private func checkForm(_ id: String, orElse error: ServerAPIError) throws(ServerAPIError) {
        guard 1...64 ~= id.utf8.count, id.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            throw error
        }
    }

    func purchase(_ id: String) throws(ServerAPIError) -> Purchase {
        try checkForm(id, orElse: .invalidTransactionId)
        if let purchase = store.purchases[id] { return purchase }
        guard !store.customers.values.contains(where: { $0.appTransactionId == id }) else {
            throw .appTransactionIdNotSupported
        }
        throw .transactionIdNotFound
    }

    /// The customer of a transaction, or of an app transaction.
    func customer(_ id: String) throws(ServerAPIError) -> Customer {
        try checkForm(id, orElse: .invalidTransactionId)
        if let purchase = store.purchases[id], let customer = store.customers[purchase.customer] { return customer }
        guard let customer = store.customers.values.first(where: { $0.appTransactionId == id }) else {
            throw .transactionIdNotFound
        }
        return customer
    }

    // MARK: One transaction

    private mutating func transactionInfo(_ id: String) throws -> APIAnswer {
        let purchase = try purchase(id)
        return APIAnswer(["signedTransactionInfo": .string(try sign(purchase).signedTransaction)])
    }

    private mutating func finish(_ id: String) throws -> APIAnswer {
        let purchase = try purchase(id)
        store.purchases[purchase.transactionId]?.isFinished = true
        return APIAnswer()
    }

    private mutating func lookUp(order: String) throws -> APIAnswer {
        guard store.settings.environment == .production else { throw ServerAPIError.transactionIdNotFound }
        let found = store.purchases.values.filter { $0.orderId == order && !$0.isShared }
        let signed = try found.map { JSONValue.string(try sign($0).signedTransaction) }
        return APIAnswer(["status": found.isEmpty ? 1 : 0, "signedTransactions": .array(signed)])
    }

    private mutating func appTransaction(_ id: String) throws -> APIAnswer {
        let customer = try customer(id)
        var fields = Fields()
        fields.add("receiptType", store.settings.environment.rawValue)
        fields.add("appAppleId", store.settings.appAppleId)
        fields.add("bundleId", store.settings.bundleId)
        fields.add("applicationVersion", store.settings.bundleVersion)
        fields.add("receiptCreationDate", store.stamp())
        fields.add("originalPurchaseDate", customer.since)
        // Sandbox always says 1.0 (signed-data.md section 4).
        let isSandbox = store.settings.environment == .sandbox
        fields.add("originalApplicationVersion", isSandbox ? "1.0" : store.settings.bundleVersion)
        fields.add("appTransactionId", customer.appTransactionId)
        fields.add("originalPlatform", "iOS")
        return APIAnswer(["signedAppTransactionInfo": .string(try signer.authority.sign(fields.object))])
    }

    // MARK: Statuses

    private mutating func statuses(_ id: String, _ request: APIRequest) throws -> APIAnswer {
        let customer = try customer(id)
        let wanted = try request.values("status").map { text throws(ServerAPIError) -> Int64 in
            guard let status = Int64(text), 1...5 ~= status else { throw .invalidStatus }
            return status
        }
        var groups: [(id: String, items: [JSONValue])] = []
        for lineage in customer.subscriptions.compactMap({ store.subscriptions[$0] }) {
            let status = store.status(lineage)
            guard wanted.isEmpty || wanted.contains(status), let last = store.newest(lineage) else { continue }
            let signed = try sign(last)
            let item: JSONValue = [
                "originalTransactionId": .string(lineage.originalTransactionId), "status": .integer(status),
                "signedTransactionInfo": .string(signed.signedTransaction),
                "signedRenewalInfo": JSONValue(signed.signedRenewalInfo),
            ]
            if let index = groups.firstIndex(where: { $0.id == lineage.group }) {
                groups[index].items.append(item)
            } else {
                groups.append((lineage.group, [item]))
            }
        }
        let data = groups.map { group -> JSONValue in
            ["subscriptionGroupIdentifier": .string(group.id), "lastTransactions": .array(group.items)]
        }
        var body = identity
        body["data"] = .array(data)
        return APIAnswer(body)
    }

    /// What every answer about a customer says of the app.
    var identity: JSONObject {
        [
            "bundleId": .string(store.settings.bundleId), "appAppleId": .integer(store.settings.appAppleId),
            "environment": .string(store.settings.environment.rawValue),
        ]
    }
}
