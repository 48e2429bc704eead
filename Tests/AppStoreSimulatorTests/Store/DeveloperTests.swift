import AppStoreSimulator
import Entitlements
import Testing

@Suite struct DeveloperTests {
    @Test func anExtensionSignsTheSameTransactionWithALaterEnd() throws {
        var driven = try DrivenStore()
        let bought = try driven.buy("pro.monthly")
        let end = try #require(bought["expiresDate"]?.integerValue)
        let news = try driven.act(["act": "extend", "customer": "c1", "days": 14])
        #expect(news.types == ["RENEWAL_EXTENDED"])
        #expect(news.transactions.first?["transactionId"] == bought["transactionId"])
        #expect(news.transactions.first?["expiresDate"] == .integer(end + 14 * day))
        #expect(news.renewalInfos.first?["renewalDate"] == .integer(end + 14 * day))
        try driven.act(["act": "extend", "customer": "c1", "days": 1])
        #expect(throws: ActRefusal.self) { try driven.act(["act": "extend", "customer": "c1", "days": 1]) }
        #expect(driven.pass(to: end + 13 * day).isEmpty)
        #expect(driven.pass(2 * day).types == ["DID_RENEW"])
    }

    @Test func aTokenSetByTheDeveloperIsOnRunningAndLaterPeriods() throws {
        var driven = try DrivenStore()
        let first = try driven.buy("pro.monthly", token: tokenA)
        _ = driven.pass(40 * day)
        let set = try driven.act([
            "act": "setAppAccountToken", "originalTransactionId": first["originalTransactionId"] ?? "",
            "appAccountToken": .string(tokenB),
        ])
        #expect(set.types.isEmpty)
        #expect(set.transactions.map { $0["appAccountToken"]?.stringValue } == [tokenB])
        #expect(set.transactions.first?["transactionId"] != first["transactionId"])
        let renewed = driven.pass(31 * day)
        #expect(renewed.transactions.first?["appAccountToken"]?.stringValue == tokenB)
        #expect(renewed.renewalInfos.first?["appAccountToken"]?.stringValue == tokenB)
        #expect(throws: ActRefusal.self) {
            try driven.act([
                "act": "setAppAccountToken", "originalTransactionId": renewed.transactions[0]["transactionId"] ?? "",
                "appAccountToken": .string(tokenA),
            ])
        }
    }
}
