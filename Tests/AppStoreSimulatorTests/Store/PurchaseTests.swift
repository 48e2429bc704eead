import AppStoreSimulator
import Entitlements
import Testing

@Suite struct PurchaseTests {
    @Test func aFirstPurchaseHasApplesFieldsAndNoOthers() throws {
        var driven = try DrivenStore()
        let news = try driven.act([
            "act": "buy", "customer": "c1", "productId": "pro.monthly", "appAccountToken": .string(tokenA.uppercased()),
        ])
        #expect(news.types == ["SUBSCRIBED/INITIAL_BUY"])
        let statement = try #require(news.first?.statements.first)
        let transaction = statement.transaction
        // Names and order as Apple's own session of 2025 has them, with the token.
        #expect(
            transaction.names == [
                "transactionId", "originalTransactionId", "webOrderLineItemId", "bundleId", "productId",
                "subscriptionGroupIdentifier", "purchaseDate", "originalPurchaseDate", "expiresDate", "quantity",
                "type",
                "appAccountToken", "inAppOwnershipType", "signedDate", "environment", "transactionReason", "storefront",
                "storefrontId", "price", "currency", "appTransactionId",
            ])
        let purchase = Shop.start - 250
        #expect(transaction["transactionId"] == transaction["originalTransactionId"])
        #expect(transaction["purchaseDate"] == .integer(purchase))
        #expect(transaction["originalPurchaseDate"] == .integer(purchase + 1000))
        #expect(transaction["expiresDate"] == .integer(purchase + 31 * day))
        #expect(transaction["signedDate"] == .integer(Shop.start))
        #expect(transaction["appAccountToken"]?.stringValue == tokenA)
        #expect(transaction["price"] == 4990 && transaction["currency"] == "USD")
        #expect(transaction["transactionReason"] == "PURCHASE" && transaction["inAppOwnershipType"] == "PURCHASED")
        #expect(transaction["subscriptionGroupIdentifier"] == "21000001" && transaction["environment"] == "Sandbox")
        #expect(transaction["storefront"] == "USA" && transaction["storefrontId"] == "143441")
        let info = try #require(statement.renewalInfo)
        #expect(
            info.names == [
                "originalTransactionId", "autoRenewProductId", "productId", "autoRenewStatus", "renewalPrice",
                "currency", "signedDate", "environment", "recentSubscriptionStartDate", "renewalDate",
                "appTransactionId", "appAccountToken",
            ])
        #expect(info["recentSubscriptionStartDate"] == .integer(purchase))
        #expect(info["renewalDate"] == transaction["expiresDate"] && info["autoRenewStatus"] == 1)
    }

    @Test func aRenewalIsSignedADayBeforeItBegins() throws {
        var driven = try DrivenStore()
        let first = try driven.buy("pro.monthly", token: tokenA)
        let end = try #require(first["expiresDate"]?.integerValue)
        #expect(driven.pass(to: end - day - 1).isEmpty)
        let news = driven.pass(to: end - day)
        #expect(news.types == ["DID_RENEW"])
        let renewal = try #require(news.transactions.first)
        #expect(renewal["signedDate"] == .integer(end - day))
        #expect(renewal["purchaseDate"] == .integer(end))
        #expect(renewal["transactionReason"] == "RENEWAL")
        #expect(renewal["originalTransactionId"] == first["originalTransactionId"])
        #expect(renewal["transactionId"] != first["transactionId"])
        #expect(renewal["webOrderLineItemId"] != first["webOrderLineItemId"])
        #expect(renewal["originalPurchaseDate"] == first["originalPurchaseDate"])
        #expect(renewal["appAccountToken"]?.stringValue == tokenA)
        #expect(news.renewalInfos.first?["renewalDate"] == renewal["expiresDate"])
        // Two more, and nothing in between.
        #expect(driven.pass(62 * day).types == ["DID_RENEW", "DID_RENEW"])
    }

    @Test func whatIsBoughtOnceIsChargedOnce() throws {
        var driven = try DrivenStore()
        let news = try driven.act(["act": "buy", "customer": "c1", "productId": "coins.100", "quantity": 3])
        #expect(news.types == ["ONE_TIME_CHARGE"])
        let coins = try #require(news.transactions.first)
        #expect(coins["quantity"] == 3 && coins["price"] == 2970 && coins["type"] == "Consumable")
        for name in ["expiresDate", "webOrderLineItemId", "subscriptionGroupIdentifier"] { #expect(coins[name] == nil) }
        #expect(news[0].statements[0].renewalInfo == nil)
        try driven.act(["act": "buy", "customer": "c1", "productId": "pass.season", "quantity": 2])
        try driven.buy("export")
        #expect(throws: ActRefusal.self) { try driven.buy("export") }
        #expect(throws: ActRefusal.self) {
            try driven.act(["act": "buy", "customer": "c2", "productId": "export", "quantity": 2])
        }
        #expect(driven.pass(400 * day).isEmpty)
    }

    @Test func askingAParentBringsNothingUntilTheParentAgrees() throws {
        var driven = try DrivenStore()
        let asked = try driven.act(["act": "askToBuy", "customer": "c1", "productId": "export"])
        let request = try #require(asked.first?.request)
        #expect(asked.types.isEmpty && asked.transactions.isEmpty)
        #expect(driven.pass(3 * day).isEmpty)
        let news = try driven.act(["act": "approve", "request": .string(request)])
        #expect(news.types == ["ONE_TIME_CHARGE"])
        #expect(news.transactions.first?["purchaseDate"] == .integer(Shop.start - 250 + 3 * day))
        #expect(throws: ActRefusal.self) { try driven.act(["act": "approve", "request": .string(request)]) }
        let second = try driven.act(["act": "askToBuy", "customer": "c2", "productId": "export"])
        #expect(try driven.act(["act": "decline", "request": .string(second[0].request ?? "")]).isEmpty)
    }

    @Test func anIntroductoryOfferIsForTheFirstTimeOnly() throws {
        var driven = try DrivenStore()
        let trial = try driven.buy("news.monthly")
        #expect(trial["offerType"] == 1 && trial["offerDiscountType"] == "FREE_TRIAL" && trial["price"] == 0)
        #expect(trial["offerPeriod"] == "P1W" && trial["offerIdentifier"] == nil)
        let start = try #require(trial["purchaseDate"]?.integerValue)
        #expect(trial["expiresDate"] == .integer(start + 7 * day))
        let renewal = try #require(driven.pass(8 * day).transactions.first)
        #expect(renewal["offerType"] == nil && renewal["price"] == 2990)
        try driven.act(["act": "setAutoRenew", "customer": "c1", "on": false])
        _ = driven.pass(60 * day)
        #expect(try driven.buy("news.monthly")["offerType"] == nil)
    }

    @Test func anOfferCodeOutsideTheAppHasNoToken() throws {
        var driven = try DrivenStore()
        let news = try driven.act([
            "act": "redeemOffer", "customer": "c1", "productId": "news.monthly", "offerIdentifier": "SUMMER",
            "appAccountToken": .string(tokenA),
        ])
        #expect(news.types == ["SUBSCRIBED/INITIAL_BUY"])
        let first = try #require(news.transactions.first)
        #expect(first["appAccountToken"] == nil && first["offerType"] == 3 && first["offerIdentifier"] == "SUMMER")
        #expect(first["offerDiscountType"] == "PAY_AS_YOU_GO" && first["price"] == 990)
        // Two more periods at that price, then the full one.
        let later = driven.pass(95 * day).transactions
        #expect(later.map { $0["price"]?.integerValue } == [990, 990, 2990])
        #expect(later.map { $0["offerType"]?.integerValue } == [3, 3, nil])
        // Redeemed again by a subscriber: nothing now, the offer with the next period.
        let again = try driven.act(["act": "redeemOffer", "customer": "c1", "productId": "news.monthly"])
        #expect(again.types == ["OFFER_REDEEMED"] && again.renewalInfos.first?["offerType"] == 3)
    }

    @Test func aRefusedActChangesNothing() throws {
        var driven = try DrivenStore()
        try driven.buy("pro.monthly")
        for act: JSONObject in [
            ["act": "buy", "customer": "c1", "productId": "no.such"], ["act": "fly", "customer": "c1"],
            ["act": "buy", "customer": "c1", "productId": "pro.monthly"],
            ["act": "buy", "customer": "c1", "productId": "export", "quantity": "1"],
            ["act": "buy", "customer": "c1", "productId": "export", "colour": "red"],
            ["act": "refund", "transactionId": "1"], ["act": "recoverBilling", "customer": "c1"],
            ["act": "buy", "customer": "c1", "productId": "export", "appAccountToken": "me"],
        ] {
            #expect(throws: ActRefusal.self, "\(act)") { try driven.act(act) }
        }
        #expect(driven.pass(15 * day).isEmpty)
    }
}
