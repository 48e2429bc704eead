import Entitlements

/// What the developer does through the Server API (server-api.md section 3).
extension Store {
    /// Extensions of one subscription within a year.
    private static let maximumExtensions = 2

    /// An extension that was made.
    struct Extension {
        let happenings: [Happening]
        let effectiveDate: Milliseconds
        let webOrderLineItemId: String
    }

    /// Why a subscription cannot be extended, as Apple's error code; nil: it can.
    func obstacleToExtension(_ lineage: Subscription) -> ServerAPIError? {
        guard lineage.sharedFrom == nil else { return .familyMemberNotExtendable }
        let recent = lineage.extensions.filter { now - $0 < 365 * Time.day }
        guard recent.count < Self.maximumExtensions else { return .extendedTwice }
        guard case .running = lineage.phase, status(lineage) == 1, let newest = newest(lineage),
            newest.offer?.discount != .freeTrial
        else { return .notExtendable }
        return nil
    }

    mutating func extend(
        _ target: PurchaseTarget, days: Int64, reason: Int64, request: String
    ) throws(ActRefusal) -> Extension {
        let lineage = try subscription(target)
        if let obstacle = obstacleToExtension(lineage) { throw .notAllowed(obstacle.message) }
        let id = lineage.originalTransactionId
        subscriptions[id]?.extensions.append(now)
        var news = news()
        for member in family(id) {
            guard let newest = subscriptions[member].flatMap({ newest($0) }) else { continue }
            // The same transaction is signed anew, with a later end.
            purchases[newest.transactionId]?.expiresDate = (newest.expiresDate ?? now) + days * Time.day
            touch(newest.transactionId)
            tell("RENEWAL_EXTENDED", about: newest.transactionId, in: &news)
        }
        schedule(id)
        let extended = self.newest(lineage)
        return Extension(
            happenings: [news], effectiveDate: extended?.expiresDate ?? now,
            webOrderLineItemId: extended?.webOrderLineItemId ?? "")
    }

    /// Running and later periods get the token; past ones keep what they have. Nobody is told.
    mutating func setAppAccountToken(_ id: String, _ token: String) throws(ActRefusal) -> [Happening] {
        guard let first = purchases[id] else { throw .unknown("there is no transaction \(id)") }
        guard first.originalTransactionId == id else {
            throw .notAllowed("\(id) is not the first of its lineage: \(first.originalTransactionId) is")
        }
        guard !first.isShared else { throw .notAllowed("\(id) is shared by a family, and cannot have a token") }
        guard let account = AccountID(token)?.description else {
            throw ActRefusal(.malformed, "appAccountToken must be a UUID other than zero")
        }
        subscriptions[id]?.appAccountToken = account
        var news = news()
        for period in subscriptions[id]?.periods ?? [id] {
            guard let purchase = purchases[period], (purchase.expiresDate ?? .max) > now else { continue }
            purchases[period]?.appAccountToken = account
            touch(period)
            state(period, in: &news)
        }
        return [news]
    }

    /// The notification that a mass extension is finished, for one storefront.
    mutating func massExtensionSummary(
        product: String, request: String, succeeded: Int64, failed: Int64
    ) -> Happening {
        var news = news()
        let summary: JSONObject = [
            "requestIdentifier": .string(request), "environment": .string(settings.environment.rawValue),
            "appAppleId": .integer(settings.appAppleId), "bundleId": .string(settings.bundleId),
            "productId": .string(product), "storefrontCountryCodes": [.string(storefront.country)],
            "succeededCount": .integer(succeeded), "failedCount": .integer(failed),
        ]
        news.notifications.append(
            Happening.Notification(
                notificationUUID: random.uuid(), type: "RENEWAL_EXTENSION", subtype: "SUMMARY", statement: nil,
                consumptionRequestReason: nil, summary: summary))
        return news
    }

    /// The notification that a mass extension left this one as it was.
    mutating func extensionFailure(_ lineage: String) -> Happening {
        var news = news()
        if let current = subscriptions[lineage].flatMap({ current($0) }) {
            tell("RENEWAL_EXTENSION", "FAILURE", about: current.transactionId, in: &news)
        }
        return news
    }

    /// The notification that Request a Test Notification asks for. Its name comes from outside: it is no act, and what is
    /// replayed without it must come out the same.
    mutating func testNotification(_ uuid: String) -> Happening {
        var news = news()
        news.notifications.append(
            Happening.Notification(
                notificationUUID: uuid, type: "TEST", subtype: nil, statement: nil,
                consumptionRequestReason: nil, summary: nil))
        return news
    }
}
