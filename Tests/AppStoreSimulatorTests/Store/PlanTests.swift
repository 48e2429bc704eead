import AppStoreSimulator
import Entitlements
import Testing

@Suite struct PlanTests {
    @Test func anUpgradeIsOneNotificationWithTheNewTransactionOnly() throws {
        var driven = try DrivenStore()
        let old = try driven.buy("pro.yearly", token: tokenA)
        _ = driven.pass(10 * day)
        let news = try driven.act(["act": "changePlan", "customer": "c1", "productId": "plus.monthly"])
        #expect(news.types == ["DID_CHANGE_RENEWAL_PREF/UPGRADE"])
        #expect(news.transactions.count == 1)
        let new = try #require(news.transactions.first)
        let now = try #require(new["purchaseDate"]?.integerValue)
        #expect(now == Shop.start - 250 + 10 * day)
        // Ends earlier than what it replaced.
        #expect(new["expiresDate"] == .integer(now + 31 * day))
        #expect(new["originalTransactionId"] == old["originalTransactionId"] && new["transactionReason"] == "PURCHASE")
        #expect(new["appAccountToken"]?.stringValue == tokenA)
        let info = try #require(news.renewalInfos.first)
        #expect(info["recentSubscriptionStartDate"] == old["purchaseDate"] && info["productId"] == "plus.monthly")
        #expect(driven.pass(to: now + 30 * day).types == ["DID_RENEW"])
    }

    @Test func aCrossgradeOfTheSameLengthIsAnUpgrade() throws {
        var driven = try DrivenStore()
        try driven.buy("pro.monthly")
        let news = try driven.act(["act": "changePlan", "customer": "c1", "productId": "pro.solo"])
        #expect(news.types == ["DID_CHANGE_RENEWAL_PREF/UPGRADE"])
    }

    @Test func aDowngradeWaitsForTheRenewalAndCanBeTakenBack() throws {
        var driven = try DrivenStore()
        let current = try driven.buy("plus.monthly")
        let news = try driven.act(["act": "changePlan", "customer": "c1", "productId": "pro.monthly"])
        #expect(news.types == ["DID_CHANGE_RENEWAL_PREF/DOWNGRADE"])
        #expect(news.transactions.first?["transactionId"] == current["transactionId"])
        #expect(news.renewalInfos.first?["autoRenewProductId"] == "pro.monthly")
        #expect(news.renewalInfos.first?["productId"] == "plus.monthly")
        #expect(news.renewalInfos.first?["renewalPrice"] == 4990)
        let back = try driven.act(["act": "changePlan", "customer": "c1", "productId": "plus.monthly"])
        #expect(back.types == ["DID_CHANGE_RENEWAL_PREF"])
        try driven.act(["act": "changePlan", "customer": "c1", "productId": "pro.yearly"])
        let renewal = try #require(driven.pass(31 * day).transactions.first)
        #expect(renewal["productId"] == "pro.yearly" && renewal["transactionReason"] == "RENEWAL")
        // An equal product of another length waits, too.
        let other = try driven.act(["act": "changePlan", "customer": "c1", "productId": "pro.monthly"])
        #expect(other.types == ["DID_CHANGE_RENEWAL_PREF/DOWNGRADE"])
    }

    @Test func switchedOffItEndsAndToldAfterTheEnd() throws {
        var driven = try DrivenStore()
        let bought = try driven.buy("pro.monthly")
        let end = try #require(bought["expiresDate"]?.integerValue)
        let off = try driven.act(["act": "setAutoRenew", "customer": "c1", "on": false])
        #expect(off.types == ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"])
        let info = try #require(off.renewalInfos.first)
        #expect(info["autoRenewStatus"] == 0 && info["renewalPrice"] == nil && info["currency"] == nil)
        #expect(info["expirationIntent"] == nil && info["isInBillingRetryPeriod"] == nil)
        #expect(throws: ActRefusal.self) { try driven.act(["act": "setAutoRenew", "customer": "c1", "on": false]) }
        #expect(
            try driven.act(["act": "setAutoRenew", "customer": "c1", "on": true]).types
                == ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED"])
        try driven.act(["act": "setAutoRenew", "customer": "c1", "on": false])
        #expect(driven.pass(to: end + 15_999).isEmpty)
        let ended = driven.pass(to: end + 16_000)
        #expect(ended.types == ["EXPIRED/VOLUNTARY"])
        #expect(ended.renewalInfos.first?["expirationIntent"] == 1)
        #expect(ended.renewalInfos.first?["isInBillingRetryPeriod"] == false)
        #expect(ended.transactions.first?["transactionId"] == bought["transactionId"])
    }

    @Test func whoReturnsGoesOnWithTheLineage() throws {
        var driven = try DrivenStore()
        let first = try driven.buy("pro.monthly", token: tokenA)
        try driven.act(["act": "setAutoRenew", "customer": "c1", "on": false])
        _ = driven.pass(50 * day)
        let soon = try driven.act([
            "act": "buy", "customer": "c1", "productId": "pro.yearly", "appAccountToken": .string(tokenB),
        ])
        #expect(soon.types == ["SUBSCRIBED/RESUBSCRIBE"])
        #expect(soon.transactions.first?["originalTransactionId"] == first["originalTransactionId"])
        #expect(soon.transactions.first?["originalPurchaseDate"] == first["originalPurchaseDate"])
        #expect(soon.transactions.first?["appAccountToken"]?.stringValue == tokenB)
        // A gap of 19 days is no new run; one of more than 60 is.
        #expect(soon.renewalInfos.first?["recentSubscriptionStartDate"] == first["purchaseDate"])
        try driven.act(["act": "setAutoRenew", "customer": "c1", "on": false])
        _ = driven.pass(366 * day + 61 * day)
        let late = try driven.act(["act": "buy", "customer": "c1", "productId": "pro.yearly"])
        #expect(late.renewalInfos.first?["recentSubscriptionStartDate"] == late.transactions.first?["purchaseDate"])
    }

    @Test func withdrawnProductsEnd() throws {
        var driven = try DrivenStore()
        try driven.buy("pro.monthly")
        try driven.act(["act": "withdrawProduct", "productId": "pro.monthly"])
        let ended = driven.pass(32 * day)
        #expect(ended.types == ["EXPIRED/PRODUCT_NOT_FOR_SALE"])
        #expect(ended.renewalInfos.first?["expirationIntent"] == 4)
    }
}
