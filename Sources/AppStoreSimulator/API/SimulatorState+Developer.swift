import Entitlements
import Signatures

/// What the developer asks the App Store to do: extensions, tokens, consumption.
extension SimulatorState {
    private func original(_ id: String) throws(ServerAPIError) -> Purchase {
        let isNumber = 1...64 ~= id.utf8.count && id.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        guard isNumber else { throw .invalidOriginalTransactionId }
        guard let purchase = store.purchases[id] else { throw .originalTransactionIdNotFound }
        return purchase
    }

    mutating func extendRenewal(_ id: String, _ request: APIRequest) throws -> APIAnswer {
        let body = try request.object()
        let (days, reason, identifier) = try terms(body)
        let purchase = try original(id)
        guard let lineage = store.subscriptions[purchase.originalTransactionId] else {
            throw ServerAPIError.notExtendable
        }
        if let obstacle = store.obstacleToExtension(lineage) { throw obstacle }
        let target = PurchaseTarget(transactionId: lineage.originalTransactionId)
        let extended = try store.extend(target, days: days, reason: reason, request: identifier)
        _ = try publish(extended.happenings)
        acts.append(.extend(target, days: days, reason: reason, request: identifier))
        return APIAnswer([
            "originalTransactionId": .string(lineage.originalTransactionId),
            "webOrderLineItemId": .string(extended.webOrderLineItemId), "success": true,
            "effectiveDate": .integer(extended.effectiveDate),
        ])
    }

    private func terms(_ body: JSONObject) throws(ServerAPIError) -> (days: Int64, reason: Int64, request: String) {
        guard let days = body["extendByDays"]?.integerValue, 1...90 ~= days else { throw .invalidExtendByDays }
        guard let reason = body["extendReasonCode"]?.integerValue, 0...3 ~= reason else { throw .invalidExtendReason }
        guard let request = body["requestIdentifier"]?.stringValue, 1...128 ~= request.utf8.count else {
            throw .invalidRequestIdentifier
        }
        return (days, reason, request)
    }

    /// Apple takes hours to days; here it is done at once.
    mutating func extendAll(_ request: APIRequest) throws -> APIAnswer {
        let body = try request.object()
        let (days, reason, identifier) = try terms(body)
        guard let product = body["productId"]?.stringValue, store.catalog.products[product] != nil else {
            throw ServerAPIError.invalidProductId
        }
        let storefronts = body["storefrontCountryCodes"]?.arrayValue
        if let storefronts {
            guard !storefronts.isEmpty else { throw ServerAPIError.emptyStorefronts }
            guard storefronts.allSatisfy({ $0.stringValue?.utf8.count == 3 }) else {
                throw ServerAPIError.invalidStorefront
            }
        }
        let isHere = storefronts?.contains(.string(store.storefront.country)) ?? true
        let lineages = store.subscriptions.values.filter { lineage in
            isHere && lineage.sharedFrom == nil && !lineage.isExpired && store.newest(lineage)?.product.id == product
        }.map(\.originalTransactionId).sorted()
        var succeeded: Int64 = 0
        var failed: Int64 = 0
        for lineage in lineages {
            do {
                let target = PurchaseTarget(transactionId: lineage)
                let extended = try store.extend(target, days: days, reason: reason, request: identifier)
                _ = try publish(extended.happenings)
                acts.append(.extend(target, days: days, reason: reason, request: identifier))
                succeeded += 1
            } catch is ActRefusal {
                _ = try publish([store.extensionFailure(lineage)])
                failed += 1
            }
        }
        massExtensions.append(
            MassExtension(
                product: product, request: identifier, completed: store.now, succeeded: succeeded, failed: failed))
        _ = try publish([
            store.massExtensionSummary(product: product, request: identifier, succeeded: succeeded, failed: failed)
        ])
        return APIAnswer(["requestIdentifier": .string(identifier)])
    }

    func extendAllStatus(product: String, request: String) throws(ServerAPIError) -> APIAnswer {
        guard let done = massExtensions.last(where: { $0.product == product && $0.request == request }) else {
            throw .extensionRequestNotFound
        }
        return APIAnswer([
            "requestIdentifier": .string(request), "complete": true, "completeDate": .integer(done.completed),
            "succeededCount": .integer(done.succeeded), "failedCount": .integer(done.failed),
        ])
    }

    mutating func setAppAccountToken(_ id: String, _ request: APIRequest) throws -> APIAnswer {
        let purchase = try purchase(id)
        guard purchase.originalTransactionId == id else { throw ServerAPIError.notOriginal }
        guard !purchase.isShared else { throw ServerAPIError.familyShared }
        guard let token = try request.object()["appAccountToken"]?.stringValue, AccountID(token) != nil else {
            throw ServerAPIError.invalidAccountToken
        }
        _ = try publish(store.setAppAccountToken(id, token))
        acts.append(.setAppAccountToken(originalTransactionId: id, token: token))
        return APIAnswer()
    }

    mutating func takeConsumption(_ id: String, _ request: APIRequest) throws -> APIAnswer {
        let purchase = try purchase(id)
        let body = try request.object()
        guard body["customerConsented"] == true else { throw ServerAPIError.invalidConsent }
        guard body["sampleContentProvided"]?.boolValue != nil else { throw ServerAPIError.invalidSampleContent }
        guard body["deliveryStatus"] != nil else { throw ServerAPIError.invalidDeliveryStatus }
        guard purchase.isSubscription || purchase.product.type == .consumable else {
            throw ServerAPIError.notConsumable
        }
        consumption[id] = body
        return APIAnswer(status: 202)
    }
}
