import AppStoreSimulator
import Entitlements
import Testing

@Suite struct RefundTests {
    @Test func aRefundOfAnOldPeriodCarriesThatPeriod() throws {
        var driven = try DrivenStore()
        let first = try driven.buy("pro.monthly")
        _ = driven.pass(40 * day)
        let news = try driven.act(["act": "refund", "transactionId": first["transactionId"] ?? ""])
        #expect(news.types == ["REFUND"])
        let refunded = try #require(news.transactions.first)
        #expect(refunded["transactionId"] == first["transactionId"])
        #expect(refunded["revocationDate"] == .integer(Shop.start - 250 + 40 * day))
        #expect(refunded["revocationReason"] == 0 && refunded["revocationType"] == "REFUND_FULL")
        #expect(refunded["revocationPercentage"] == 100_000)
        // The renewal info is of the period that runs.
        #expect((news.renewalInfos.first?["renewalDate"]?.integerValue ?? 0) > driven.store.now)
        #expect(throws: ActRefusal.self) {
            try driven.act(["act": "refund", "transactionId": first["transactionId"] ?? ""])
        }
        let reversed = try driven.act(["act": "reverseRefund", "transactionId": first["transactionId"] ?? ""])
        #expect(reversed.types == ["REFUND_REVERSED"])
        let names = Set(reversed[0].statements[0].transaction.names)
        #expect(
            names.isDisjoint(with: ["revocationDate", "revocationReason", "revocationType", "revocationPercentage"]))
    }

    @Test func aPartIsThousandthsOfAPercent() throws {
        var driven = try DrivenStore()
        try driven.act(["act": "buy", "customer": "c1", "productId": "coins.100", "quantity": 2])
        let news = try driven.act([
            "act": "refund", "customer": "c1", "productId": "coins.100", "percentage": 40, "reason": 1,
        ])
        let refunded = try #require(news.transactions.first)
        #expect(refunded["revocationPercentage"] == 40_000 && refunded["revocationType"] == "REFUND_PRORATED")
        #expect(refunded["revocationReason"] == 1)
        #expect(news[0].statements[0].renewalInfo == nil)
    }

    @Test func aRequestSwitchesOffAndAsks() throws {
        var driven = try DrivenStore()
        try driven.buy("pro.monthly")
        let news = try driven.act(["act": "requestRefund", "customer": "c1", "reason": "LEGAL"])
        #expect(news.types == ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "CONSUMPTION_REQUEST"])
        #expect(news[0].signedAt < news[1].signedAt)
        #expect(try driven.act(["act": "declineRefund", "customer": "c1"]).types == ["REFUND_DECLINED"])
        // What was refunded while its renewal is off is not told to have expired.
        try driven.act(["act": "refund", "customer": "c1"])
        #expect(driven.pass(60 * day).types.isEmpty)
        try driven.buy("export")
        #expect(try driven.act(["act": "requestRefund", "customer": "c1", "productId": "export"]).isEmpty)
    }

    @Test func everyWordReplacesTheOneBefore() throws {
        var driven = try DrivenStore()
        let bought = try driven.buy("export")
        var dates = [bought["signedDate"]?.integerValue ?? 0]
        for _ in 0..<3 {
            for act in ["refund", "reverseRefund"] {
                let news = try driven.act(["act": .string(act), "customer": "c1"])
                dates.append(news[0].signedAt)
            }
        }
        // All within one millisecond of the store's time.
        #expect(dates == dates.sorted() && Set(dates).count == dates.count)
    }
}
