import Testing

@testable import Entitlements

/// Events get the names that people expect, with and without a notification.
@Suite("Names in the history")
struct HistoryNamingTests {
    private static let account = RandomFacts.accounts[0]
    private static let start = RandomFacts.origin

    private func period(_ id: String, day: Int64 = 0, _ more: JSONObject = [:], signed: Int64 = 0) -> JSONObject {
        let start = Self.start + day * Time.day
        var payload: JSONObject = [
            "transactionId": .string(id), "originalTransactionId": "100", "bundleId": "com.example.app",
            "productId": "plus.m", "type": "Auto-Renewable Subscription", "purchaseDate": .integer(start),
            "expiresDate": .integer(start + 30 * Time.day), "environment": "Production",
            "appAccountToken": .string(Self.account.description), "signedDate": .integer(start + signed * Time.day),
        ]
        for member in more.members { payload[member.name] = member.value }
        return payload
    }

    private func renewal(_ more: JSONObject, signed: Int64) -> JSONObject {
        var payload: JSONObject = [
            "originalTransactionId": "100", "productId": "plus.m", "autoRenewProductId": "plus.m",
            "autoRenewStatus": 1, "environment": "Production", "signedDate": .integer(Self.start + signed * Time.day),
        ]
        for member in more.members { payload[member.name] = member.value }
        return payload
    }

    /// The names of facts pushed one after the other.
    private func names(_ transactions: [JSONObject] = [], renewals: [JSONObject] = []) -> [String] {
        var world = RandomWorld.empty()
        for (index, payload) in transactions.enumerated() {
            _ = world.push(account: Self.account, transactions: [payload], at: Self.start + Int64(index))
        }
        for (index, payload) in renewals.enumerated() {
            _ = world.push(
                account: Self.account, transactions: [], renewalInfos: [payload], at: Self.start + 100 + Int64(index))
        }
        return world.history(account: Self.account, environment: .production).entries.map(\.type.rawValue)
    }

    @Test("What a pushed transaction changed tells what happened")
    func transactions() {
        let upgraded: JSONObject = ["isUpgraded": true]
        let refunded: JSONObject = ["revocationDate": .integer(Self.start + 40 * Time.day)]
        #expect(
            names([
                period("100"), period("101", day: 30), period("101", day: 30, refunded, signed: 12),
                period("101", day: 30, signed: 14), period("102", day: 70), period("102", day: 70, upgraded, signed: 5),
                period("103", day: 75, ["productId": "pro.m"]), period("101", day: 30, refunded, signed: 13),
            ]) == [
                "initial_purchase", "renewed", "refunded", "refund_reversed", "resubscribed", "product_changed",
                "product_changed",
            ])
    }

    @Test("A copy older than what is known is told as such")
    func outdated() {
        let longer: JSONObject = ["expiresDate": .integer(Self.start + 33 * Time.day)]
        #expect(
            names([period("100", longer, signed: 9), period("100", signed: 1)]) == ["initial_purchase", "outdated"])
        #expect(
            names([period("100", signed: 1), period("100", longer, signed: 9)]) == ["initial_purchase", "extended"])
    }

    @Test("What a pushed renewal info changed tells what happened")
    func renewals() {
        let failing: JSONObject = ["isInBillingRetryPeriod": true]
        let grace: JSONObject = ["gracePeriodExpiresDate": .integer(Self.start + 46 * Time.day)]
        let names = names(
            [period("100")],
            renewals: [
                renewal([:], signed: 1), renewal(["autoRenewStatus": 0], signed: 2), renewal([:], signed: 3),
                renewal(["autoRenewProductId": "pro.m"], signed: 4), renewal([:], signed: 5),
                renewal(grace, signed: 31), renewal(failing, signed: 47), renewal([:], signed: 50),
                renewal(["priceIncreaseStatus": 0], signed: 51), renewal(["priceIncreaseStatus": 1], signed: 52),
            ])
        #expect(
            names.dropFirst() == [
                "updated", "auto_renew_disabled", "auto_renew_enabled", "product_change_scheduled",
                "product_change_withdrawn", "grace_started", "billing_issue", "billing_recovered",
                "price_increase_pending", "price_increase_accepted",
            ])
    }

    @Test("Apple's words have a name of ours, and stay beside it; unknown ones are kept")
    func notifications() {
        var world = RandomWorld.empty()
        let words = [
            ("SUBSCRIBED", "INITIAL_BUY", "initial_purchase"), ("EXPIRED", "VOLUNTARY", "expired"),
            ("DID_FAIL_TO_RENEW", "GRACE_PERIOD", "grace_started"), ("REFUND_DECLINED", nil, "refund_declined"),
            ("SUBSCRIPTION_REIMAGINED", "WITH_SPARKLES", "unknown"),
        ]
        for (index, word) in words.enumerated() {
            var envelope: JSONObject = [
                "notificationType": .string(word.0), "notificationUUID": .string("n\(index)"),
                "data": ["bundleId": "com.example.app", "environment": "Production"],
            ]
            envelope["subtype"] = word.1.map(JSONValue.string)
            _ = world.notify(envelope, transaction: period("100"), renewalInfo: nil, at: Self.start + Int64(index))
        }
        let entries = world.history(account: Self.account, environment: .production).entries
        #expect(entries.map(\.type.rawValue) == words.map(\.2))
        #expect(entries.map(\.notificationType) == words.map(\.0))
        #expect(entries[1].reason == "voluntary")
        #expect(entries[1].effectiveAt == Self.start + 30 * Time.day)
    }

    @Test("A device is not told which other account a purchase went to; support is")
    func audience() {
        var world = RandomWorld.empty()
        _ = world.push(account: Self.account, transactions: [period("100")], at: Self.start)
        let other = RandomFacts.accounts[1]
        _ = world.push(account: other, transactions: [period("100")], isRestore: true, at: Self.start + 1)
        let history = world.history(account: Self.account, environment: .production)
        func text(_ audience: HistoryEntry.Audience) -> String {
            var writer = JSONWriter()
            history.write(to: &writer, for: audience)
            return String(decoding: writer.bytes, as: UTF8.self)
        }
        #expect(text(.support).contains(other.description))
        #expect(!text(.device).contains(other.description))
    }
}
