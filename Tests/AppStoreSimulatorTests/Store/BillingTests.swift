import AppStoreSimulator
import Entitlements
import Testing

@Suite struct BillingTests {
    @Test func failureWithGraceThenRecoveryJoinsThePeriods() throws {
        var driven = try DrivenStore()
        let end = try #require(try driven.buy("pro.monthly")["expiresDate"]?.integerValue)
        #expect(try driven.act(["act": "failBilling", "customer": "c1", "grace": true]).isEmpty)
        #expect(driven.pass(to: end - 1).isEmpty)
        let failed = driven.pass(to: end)
        #expect(failed.types == ["DID_FAIL_TO_RENEW/GRACE_PERIOD"])
        let info = try #require(failed.renewalInfos.first)
        #expect(info["gracePeriodExpiresDate"] == .integer(end + 16 * day))
        // Seen in the wild: false, although charging is being tried.
        #expect(info["isInBillingRetryPeriod"] == false)
        _ = driven.pass(3 * day)
        let recovered = try driven.act(["act": "recoverBilling", "customer": "c1"])
        #expect(recovered.types == ["DID_RENEW/BILLING_RECOVERY"])
        #expect(recovered.transactions.first?["purchaseDate"] == .integer(end))
        #expect(recovered.renewalInfos.first?["gracePeriodExpiresDate"] == nil)
    }

    @Test func graceEndsThenRetryEnds() throws {
        var driven = try DrivenStore()
        let end = try #require(try driven.buy("pro.monthly")["expiresDate"]?.integerValue)
        try driven.act(["act": "failBilling", "customer": "c1", "grace": true])
        let news = driven.pass(to: end + 61 * day)
        #expect(news.types == ["DID_FAIL_TO_RENEW/GRACE_PERIOD", "GRACE_PERIOD_EXPIRED", "EXPIRED/BILLING_RETRY"])
        #expect(news.map(\.signedAt) == [end, end + 16 * day, end + 60 * day])
        let infos = news.renewalInfos
        #expect(infos.map { $0["isInBillingRetryPeriod"]?.boolValue } == [false, true, false])
        #expect(infos.map { $0["expirationIntent"]?.integerValue } == [nil, 2, 2])
        #expect(infos[1]["gracePeriodExpiresDate"] == nil)
    }

    @Test func failureWithoutGraceThenRecoveryLeavesAGap() throws {
        var driven = try DrivenStore()
        let end = try #require(try driven.buy("pro.monthly")["expiresDate"]?.integerValue)
        try driven.act(["act": "failBilling", "customer": "c1", "grace": false])
        let failed = driven.pass(to: end + 5 * day)
        #expect(failed.types == ["DID_FAIL_TO_RENEW"])
        #expect(failed.renewalInfos.first?["isInBillingRetryPeriod"] == true)
        let recovered = try driven.act(["act": "recoverBilling", "customer": "c1"])
        let start = try #require(recovered.transactions.first?["purchaseDate"]?.integerValue)
        #expect(start == end + 5 * day)
        #expect(driven.pass(to: start + 30 * day).types == ["DID_RENEW"])
    }

    @Test func aPriceIncreaseNeedsAWord() throws {
        for (answer, expected) in [
            (nil, "EXPIRED/PRICE_INCREASE"), (true, "DID_RENEW"), (false, "EXPIRED/PRICE_INCREASE"),
        ]
            as [(Bool?, String)]
        {
            var driven = try DrivenStore()
            try driven.buy("pro.monthly")
            let asked = try driven.act(["act": "priceIncrease", "productId": "pro.monthly", "price": 5990])
            #expect(asked.types == ["PRICE_INCREASE/PENDING"])
            #expect(asked.renewalInfos.first?["priceIncreaseStatus"] == 0)
            #expect(asked.renewalInfos.first?["renewalPrice"] == 5990)
            if let answer {
                let told = try driven.act(["act": "consent", "customer": "c1", "agrees": .bool(answer)])
                #expect(
                    told.types == [answer ? "PRICE_INCREASE/ACCEPTED" : "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"]
                )
            }
            let end = driven.pass(32 * day)
            #expect(end.types == [expected])
            if answer == true {
                #expect(end.transactions.first?["price"] == 5990)
            } else {
                #expect(end.renewalInfos.first?["expirationIntent"] == 3)
            }
        }
    }
}
