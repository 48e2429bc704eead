import AppStore
import AppStoreSimulator
import Entitlements
import Foundation
import Signatures

/// Signed transactions in the shape and size of genuine ones, of subscriptions that renew each month.
struct Purchases: Sendable {
    static let bundleId = "com.example.bench"
    static let environment = Entitlements.Environment.sandbox
    static let identity = AppIdentity(bundleId: bundleId, appAppleId: 1_234_567_890, environments: [environment])
    static let catalog = """
        {"bundleId": "\(bundleId)", "appAppleId": 1234567890, "policies": {}, "products": {
         "com.example.bench.pro.monthly": {"type": "Auto-Renewable Subscription", "subscriptionGroup": "20837465",
                                           "level": 1, "entitlements": ["pro"]}}}
        """

    let authority: SigningAuthority
    let now: Milliseconds

    init() throws {
        authority = try SigningAuthority()
        now = Milliseconds(Date().timeIntervalSince1970 * 1000)
    }

    var root: TrustedRoot { TrustedRoot(authority.root, for: [Self.environment]) }

    /// The account of a number.
    static func account(_ number: Int) -> String {
        String(format: "a1a1a1a1-0000-4000-8000-%012x", number + 1)
    }

    private static func original(_ account: Int) -> Int64 { 2_000_000_000_000_000 + Int64(account) * 1_000_000 }

    /// The id of transaction `number` of an account.
    static func transactionId(account: Int, number: Int) -> String { String(original(account) + Int64(number)) }

    /// Transaction `number` of an account: its subscription, renewed that often. A renewal comes `interval` after the one
    /// before and runs for `duration`.
    func payload(
        account: Int, number: Int, start: Milliseconds? = nil, interval: Milliseconds = Time.day / 4,
        duration: Milliseconds = 60 * Time.day
    ) -> JSONObject {
        let original = Self.original(account)
        let start = start ?? now - 50 * Time.day
        let purchase = start + Int64(number) * interval
        return [
            "transactionId": .string(Self.transactionId(account: account, number: number)),
            "originalTransactionId": .string(String(original)),
            "webOrderLineItemId": .string(String(original + 500_000 + Int64(number))),
            "bundleId": .string(Self.bundleId), "productId": "com.example.bench.pro.monthly",
            "subscriptionGroupIdentifier": "20837465", "purchaseDate": .integer(purchase),
            "originalPurchaseDate": .integer(start), "expiresDate": .integer(purchase + duration),
            "quantity": 1, "type": "Auto-Renewable Subscription",
            "appAccountToken": .string(Self.account(account)), "inAppOwnershipType": "PURCHASED",
            "signedDate": .integer(purchase + 1_500), "environment": .string(Self.environment.rawValue),
            "transactionReason": .string(number == 0 ? "PURCHASE" : "RENEWAL"), "storefront": "USA",
            "storefrontId": "143441", "price": 9990, "currency": "USD",
            "appTransactionId": .string(String(700_000_000_000_000 + Int64(account))),
        ]
    }

    func signed(account: Int, number: Int) throws -> String {
        try authority.sign(payload(account: account, number: number))
    }
}
