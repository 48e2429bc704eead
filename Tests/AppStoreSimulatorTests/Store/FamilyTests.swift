import AppStoreSimulator
import Entitlements
import Testing

@Suite struct FamilyTests {
    private static let members = ["m1", "m2", "m3", "m4", "m5"]

    private func family(_ product: String) throws -> (DrivenStore, [Happening]) {
        var driven = try DrivenStore()
        try driven.buy(product, token: tokenA)
        let names = Self.members.map(JSONValue.string)
        let news = try driven.act(["act": "shareWithFamily", "customer": "c1", "members": .array(names)])
        return (driven, news)
    }

    @Test func membersHaveTransactionsAndLineagesOfTheirOwn() throws {
        let (_, news) = try family("pro.monthly")
        #expect(news.types == Array(repeating: "SUBSCRIBED/INITIAL_BUY", count: 5))
        let transactions = news.transactions
        #expect(transactions.allSatisfy { $0["inAppOwnershipType"] == "FAMILY_SHARED" && $0["appAccountToken"] == nil })
        for name in ["transactionId", "originalTransactionId", "appTransactionId", "webOrderLineItemId"] {
            #expect(Set(transactions.map { $0[name] }).count == 5, "\(name)")
        }
        #expect(Set(transactions.map { $0["expiresDate"] }).count == 1)
    }

    @Test func aRefundTakesFromEveryMember() throws {
        var (driven, _) = try family("pro.monthly")
        #expect(driven.pass(31 * day).types == Array(repeating: "DID_RENEW", count: 6))
        _ = driven.pass(day)
        let news = try driven.act(["act": "refund", "customer": "c1"])
        #expect(news.types == ["REFUND"] + Array(repeating: "REVOKE", count: 5))
        let members = news.transactions.dropFirst()
        #expect(members.allSatisfy { $0["revocationType"] == "FAMILY_REVOKE" && $0["revocationPercentage"] == nil })
        #expect(members.allSatisfy { $0["revocationDate"] == news.transactions[0]["revocationDate"] })
    }

    @Test func aRefundOfAnOldPeriodLeavesTheFamilyAlone() throws {
        var (driven, _) = try family("pro.monthly")
        _ = driven.pass(40 * day)
        let running = try driven.act(["act": "declineRefund", "customer": "c1"])
        let first = try #require(running.transactions.first?["originalTransactionId"])
        #expect(try driven.act(["act": "refund", "transactionId": first]).types == ["REFUND"])
    }

    @Test func leavingEndsOneLineageAndReturningGoesOnWithIt() throws {
        var (driven, shared) = try family("pro.monthly")
        let left = try driven.act(["act": "leaveFamily", "customer": "m2"])
        #expect(left.types == ["REVOKE"])
        #expect(left.transactions.first?["originalTransactionId"] == shared.transactions[1]["originalTransactionId"])
        #expect(driven.pass(31 * day).types.count == 5)
        let back = try driven.act(["act": "shareWithFamily", "customer": "c1", "members": ["m2"]])
        #expect(back.types == ["SUBSCRIBED/RESUBSCRIBE"])
        #expect(back.transactions.first?["originalTransactionId"] == shared.transactions[1]["originalTransactionId"])
        #expect(throws: ActRefusal.self) {
            try driven.act(["act": "shareWithFamily", "customer": "c1", "members": ["m6"]])
        }
    }

    @Test func sharingThatStopsRevokesAndIsNotTakenUpAgain() throws {
        var (driven, _) = try family("pro.monthly")
        let stopped = try driven.act(["act": "stopSharing", "customer": "c1"])
        #expect(stopped.types == Array(repeating: "REVOKE", count: 5))
        #expect(driven.pass(31 * day).types == ["DID_RENEW"])
    }

    @Test func everyMemberIsToldWhatThePurchaserDoes() throws {
        var (driven, _) = try family("pro.monthly")
        let off = try driven.act(["act": "setAutoRenew", "customer": "c1", "on": false])
        #expect(off.types == Array(repeating: "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", count: 6))
        #expect(off.renewalInfos.allSatisfy { $0["autoRenewStatus"] == 0 })
        #expect(driven.pass(32 * day).types == Array(repeating: "EXPIRED/VOLUNTARY", count: 6))
        let back = try driven.act(["act": "buy", "customer": "c1", "productId": "pro.monthly"])
        #expect(back.types == Array(repeating: "SUBSCRIBED/RESUBSCRIBE", count: 6))
    }

    @Test func failuresReachTheFamily() throws {
        var (driven, _) = try family("pro.monthly")
        try driven.act(["act": "failBilling", "customer": "c1", "grace": true])
        let failed = driven.pass(31 * day)
        #expect(failed.types == Array(repeating: "DID_FAIL_TO_RENEW/GRACE_PERIOD", count: 6))
        let recovered = try driven.act(["act": "recoverBilling", "customer": "c1"])
        #expect(recovered.types == Array(repeating: "DID_RENEW/BILLING_RECOVERY", count: 6))
    }

    @Test func anUpgradeToWhatIsNotSharedEndsTheMembersAccess() throws {
        var (driven, _) = try family("pro.monthly")
        let solo = try driven.act(["act": "changePlan", "customer": "c1", "productId": "pro.solo"])
        #expect(solo.types == ["DID_CHANGE_RENEWAL_PREF/UPGRADE"] + Array(repeating: "REVOKE", count: 5))
    }

    @Test func whatIsOwnedForEverIsSharedAndTakenBack() throws {
        var (driven, shared) = try family("export")
        #expect(shared.types == Array(repeating: "ONE_TIME_CHARGE", count: 5))
        let news = try driven.act(["act": "refund", "customer": "c1"])
        #expect(news.types == ["REFUND"] + Array(repeating: "REVOKE", count: 5))
    }

    @Test func aMembersOwnPurchaseIsALineageBesides() throws {
        var (driven, shared) = try family("pro.monthly")
        let own = try driven.buy("pro.yearly", by: "m1", token: tokenB)
        #expect(own["inAppOwnershipType"] == "PURCHASED")
        #expect(own["originalTransactionId"] != shared.transactions[0]["originalTransactionId"])
    }
}
