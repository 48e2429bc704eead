import Entitlements
import Foundation

/// What a person buys in the sample app, signed by the tests' authority.
enum Purchases {
    /// Tells the purchases of one test run apart.
    static func account(_ number: UInt8) -> AccountID {
        AccountID(UUID(uuid: (8, 8, 8, 8, 8, 8, 0x48, 8, 0x88, 8, 8, 8, 8, 8, 8, number)))
    }

    private static func payload(
        _ product: String, type: ProductType, id: String, account: AccountID, at date: Milliseconds
    ) -> JSONObject {
        [
            "transactionId": .string(id), "originalTransactionId": .string(id), "bundleId": "com.example.app",
            "productId": .string(product), "environment": "Sandbox", "type": .string(type.rawValue), "quantity": 1,
            "purchaseDate": .integer(date), "originalPurchaseDate": .integer(date), "signedDate": .integer(date),
            "inAppOwnershipType": "PURCHASED", "appAccountToken": .string(account.description),
        ]
    }

    /// 100 coins.
    static func coins(_ id: String, account: AccountID, at date: Milliseconds) -> JSONObject {
        payload("coins.100", type: .consumable, id: id, account: account, at: date)
    }

    /// What lasts for ever.
    static func export(_ id: String, account: AccountID, at date: Milliseconds) -> JSONObject {
        payload("export", type: .nonConsumable, id: id, account: account, at: date)
    }

    /// A period of the monthly subscription.
    static func month(
        _ id: String, of original: String? = nil, account: AccountID, at date: Milliseconds, until end: Milliseconds
    ) -> JSONObject {
        var payload = payload("pro.monthly", type: .autoRenewable, id: id, account: account, at: date)
        payload["originalTransactionId"] = .string(original ?? id)
        payload["subscriptionGroupIdentifier"] = "pro"
        payload["expiresDate"] = .integer(end)
        return payload
    }

    /// The App Store's message about a transaction.
    static func notification(_ type: String, about transaction: JSONObject, at date: Milliseconds) -> JSONObject {
        [
            "notificationType": .string(type), "notificationUUID": .string(UUID().uuidString.lowercased()),
            "version": "2.0", "signedDate": .integer(date),
            "data": .object([
                "environment": "Sandbox", "bundleId": "com.example.app", "transaction": .object(transaction),
            ]),
        ]
    }
}
