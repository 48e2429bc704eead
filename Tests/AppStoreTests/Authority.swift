import AppStore
import AppStoreSimulator
import Entitlements
import Signatures

/// A signing authority of the tests and what it signs.
struct Authority {
    static let now: Milliseconds = 1_780_000_000_000
    static let app = AppIdentity(bundleId: "com.example.app", appAppleId: 1_234_567_890, environments: [.sandbox])

    let signing: SigningAuthority

    init(_ plan: SigningAuthorityPlan = SigningAuthorityPlan()) throws {
        signing = try SigningAuthority(plan)
    }

    var root: TrustedRoot { TrustedRoot(signing.root, for: [.sandbox, .production]) }
    var verifier: SignedDataVerifier { SignedDataVerifier(roots: [root]) }

    static let transaction: JSONObject = [
        "transactionId": "2000000000000001", "originalTransactionId": "2000000000000001", "productId": "pro.m",
        "bundleId": "com.example.app", "environment": "Sandbox", "signedDate": .integer(now),
        "type": "Auto-Renewable Subscription",
    ]
    static let renewalInfo: JSONObject = [
        "originalTransactionId": "2000000000000001", "autoRenewProductId": "pro.m", "autoRenewStatus": 1,
        "environment": "Sandbox", "signedDate": .integer(now),
    ]

    func notification(
        transaction: JSONObject = Self.transaction, renewalInfo: JSONObject = Self.renewalInfo,
        data: JSONObject = [:], signedDate: Milliseconds? = Self.now
    ) throws -> JSONObject {
        var container = try JSONObject([
            ("bundleId", "com.example.app"), ("environment", "Sandbox"),
            ("signedTransactionInfo", .string(signing.sign(transaction))),
            ("signedRenewalInfo", .string(signing.sign(renewalInfo))),
        ])
        for member in data.members { container[member.name] = member.value }
        var payload: JSONObject = [
            "notificationType": "DID_RENEW", "notificationUUID": "9ad56bd2-0bc6-42e0-af24-fd996d87a1e6",
            "version": "2.0", "data": .object(container),
        ]
        payload["signedDate"] = signedDate.map(JSONValue.integer)
        return payload
    }

    func judge(
        _ payload: JSONObject, as kind: SignedDataKind = .transaction, for app: AppIdentity = Self.app,
        now: Milliseconds = Self.now
    ) throws -> Verdict {
        try verifier.verify(signing.sign(payload), as: kind, for: app, now: now)
    }
}

extension JSONObject {
    /// The same object with one member changed, or taken out with nil.
    func with(_ name: String, _ value: JSONValue?) -> JSONObject {
        var copy = self
        copy[name] = value
        return copy
    }
}
