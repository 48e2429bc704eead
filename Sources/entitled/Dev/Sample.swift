import Entitlements
import Foundation

/// The app, catalog and purchases that `entitled dev` begins with.
enum Sample {
    static let bundleId = "com.example.app"
    static let account = "a1a1a1a1-0000-4000-8000-00000000000a"
    static let environment = Entitlements.Environment.sandbox

    /// Written as `catalog.json` and applied at the first start.
    static let catalog = """
        {
          "bundleId": "com.example.app",
          "appAppleId": 1234567890,
          "products": {
            "pro.monthly": { "type": "Auto-Renewable Subscription", "subscriptionGroup": "pro", "level": 1,
                             "entitlements": ["pro"] },
            "pro.yearly":  { "type": "Auto-Renewable Subscription", "subscriptionGroup": "pro", "level": 1,
                             "entitlements": ["pro"] },
            "export":      { "type": "Non-Consumable", "entitlements": ["export"] },
            "coins.100":   { "type": "Consumable", "credits": { "currency": "coins", "amount": 100 } }
          },
          "policies": {}
        }

        """

    private static let types = [
        "pro.monthly": ProductType.autoRenewable.rawValue, "pro.yearly": ProductType.autoRenewable.rawValue,
        "export": ProductType.nonConsumable.rawValue, "coins.100": ProductType.consumable.rawValue,
    ]

    /// A transaction as StoreKit would hand it over, bought just now. Nil for a product that the sample catalog does not have.
    static func purchase(of productId: String, account: String, at now: Milliseconds) -> JSONObject? {
        guard let type = types[productId] else { return nil }
        let id = String(now) + String(Int.random(in: 100...999))
        var payload: JSONObject = [
            "transactionId": .string(id), "originalTransactionId": .string(id), "bundleId": .string(bundleId),
            "productId": .string(productId), "type": .string(type), "purchaseDate": .integer(now),
            "originalPurchaseDate": .integer(now), "signedDate": .integer(now), "quantity": 1,
            "inAppOwnershipType": "PURCHASED", "environment": .string(environment.rawValue),
            "appAccountToken": .string(account), "transactionReason": "PURCHASE",
        ]
        if type == ProductType.autoRenewable.rawValue {
            let days: Milliseconds = productId == "pro.yearly" ? 365 : 30
            payload["expiresDate"] = .integer(now + days * Time.day)
            payload["subscriptionGroupIdentifier"] = "pro"
        }
        return payload
    }

    /// The newer copy of the same transaction that says it was refunded just now.
    static func refund(of purchase: JSONObject, at now: Milliseconds) -> JSONObject {
        var payload = purchase
        payload["signedDate"] = .integer(now)
        payload["revocationDate"] = .integer(now)
        payload["revocationReason"] = 0
        return payload
    }
}
