import AppStore
import AppStoreSimulator
import Entitlements
import Foundation
import Signatures
import Testing

enum MachineTime {
    static var seconds: Int64 { Int64(Date().timeIntervalSince1970) }
}

@Suite struct ServerAPITests {
    private func first(_ answer: JSONObject) throws -> String {
        let transactions = try #require(answer["transactions"]?.arrayValue)
        return try #require(transactions.first?.objectValue?["transactionId"]?.stringValue)
    }

    @Test func whatIsSignedIsBelievedUnderTheSimulatorsRoot() async throws {
        try await withSimulator { fixture in
            let id = try first(await fixture.act(["act": "buy", "customer": "c1", "productId": "pro.monthly"]))
            let root = try await fixture.send("GET", "/simulator/root.cer")
            #expect(root.body == authority.root.der)
            let verifier = SignedDataVerifier(roots: [TrustedRoot(authority.root, for: [.sandbox])])
            let app = AppIdentity(bundleId: Shop.bundleId, appAppleId: Shop.appAppleId, environments: [.sandbox])
            let info = try await fixture.api("GET", "/v1/transactions/\(id)")
            let verdict = verifier.verify(
                info.text("signedTransactionInfo"), as: .transaction, for: app, now: Shop.start)
            #expect(verdict.refusal == nil)
            let acts = try await fixture.act(["act": "requestRefund", "customer": "c1"])
            for notification in acts["notifications"]?.arrayValue ?? [] {
                let payload = notification.objectValue?["signedPayload"]?.stringValue ?? ""
                let verdict = verifier.verify(payload, as: .notification, for: app, now: Shop.start)
                #expect(verdict.refusal == nil)
            }
        }
    }

    @Test func statusesHaveTheLastTransactionOfEachLineage() async throws {
        try await withSimulator { fixture in
            let id = try first(await fixture.act(["act": "buy", "customer": "c1", "productId": "pro.monthly"]))
            try await fixture.act(["act": "buy", "customer": "c1", "productId": "news.monthly"])
            try await fixture.act(["act": "failBilling", "customer": "c1", "grace": true])
            try await fixture.pass(7 * day)
            let all = try await fixture.api("GET", "/v1/subscriptions/\(id)")
            let groups = try #require(all.json["data"]?.arrayValue).compactMap(\.objectValue)
            #expect(groups.map { $0["subscriptionGroupIdentifier"] } == ["21000001", "21000002"])
            let items = groups.compactMap { $0["lastTransactions"]?.arrayValue?.first?.objectValue }
            #expect(items.map { $0["status"]?.integerValue } == [1, 4])
            let info = try decoded(items[1]["signedRenewalInfo"]?.stringValue ?? "")
            #expect(info["gracePeriodExpiresDate"] != nil)
            #expect(all.json["bundleId"]?.stringValue == Shop.bundleId && all.json["environment"] == "Sandbox")
            let filtered = try await fixture.api("GET", "/v1/subscriptions/\(id)?status=4&status=3")
            #expect(filtered.json["data"]?.arrayValue?.count == 1)
            #expect(try await fixture.api("GET", "/v1/subscriptions/\(id)?status=6").errorCode == 4_000_031)
            #expect(try await fixture.api("GET", "/v1/subscriptions/x").errorCode == 4_000_006)
        }
    }

    /// Pages of 20, and a transaction that changes while somebody pages comes again at the end.
    @Test func historyPagesAndDeliversChangesAgain() async throws {
        try await withSimulator { fixture in
            var ids: [String] = []
            for _ in 0..<45 {
                ids.append(try first(await fixture.act(["act": "buy", "customer": "c1", "productId": "coins.100"])))
            }
            let path = "/v2/history/\(ids[44])"
            let one = try await fixture.api("GET", path)
            #expect(
                try one.payloads("signedTransactions").compactMap { $0["transactionId"]?.stringValue }
                    == Array(ids[..<20]))
            #expect(one.json["hasMore"] == true)
            try await fixture.act(["act": "refund", "transactionId": .string(ids[3])])
            let two = try await fixture.api("GET", "\(path)?revision=\(one.text("revision"))")
            let three = try await fixture.api("GET", "\(path)?revision=\(two.text("revision"))")
            #expect(three.json["hasMore"] == false)
            let last = try three.payloads("signedTransactions")
            #expect(last.count == 6 && last[5]["transactionId"]?.stringValue == ids[3])
            #expect(last[5]["revocationDate"] != nil)
            // From the last revision only what is new.
            let none = try await fixture.api("GET", "\(path)?revision=\(three.text("revision"))")
            #expect(none.json["signedTransactions"]?.arrayValue?.isEmpty == true)
            let bought = try first(await fixture.act(["act": "buy", "customer": "c1", "productId": "export"]))
            let news = try await fixture.api("GET", "\(path)?revision=\(none.text("revision"))")
            #expect(try news.payloads("signedTransactions").map { $0["transactionId"]?.stringValue } == [bought])
            // Another query, or another customer's, is another run.
            let other = try await fixture.api("GET", "\(path)?revision=\(one.text("revision"))&productId=export")
            #expect(other.errorCode == 4_000_005)
        }
    }

    @Test func historyIsFilteredAndSorted() async throws {
        try await withSimulator { fixture in
            try await fixture.act(["act": "buy", "customer": "c1", "productId": "pro.monthly"])
            try await fixture.pass(40 * day)
            let id = try first(await fixture.act(["act": "buy", "customer": "c1", "productId": "export"]))
            try await fixture.act(["act": "buy", "customer": "c1", "productId": "coins.100"])
            try await fixture.act(["act": "refund", "customer": "c1", "productId": "coins.100"])
            func products(_ query: String) async throws -> [String] {
                let answer = try await fixture.api("GET", "/v2/history/\(id)?\(query)")
                return try answer.payloads("signedTransactions").compactMap { $0["productId"]?.stringValue }
            }
            #expect(try await products("sort=DESCENDING") == ["coins.100", "export", "pro.monthly", "pro.monthly"])
            #expect(try await products("productType=NON_CONSUMABLE&productType=CONSUMABLE") == ["export", "coins.100"])
            #expect(try await products("revoked=True") == ["coins.100"])
            #expect(try await products("subscriptionGroupIdentifier=21000001").count == 2)
            #expect(try await products("inAppOwnershipType=FAMILY_SHARED").isEmpty)
            #expect(try await products("startDate=\(Shop.start + day)&endDate=\(Shop.start + 39 * day)").count == 1)
            for (query, code) in [
                ("sort=UP", 4_000_021), ("productType=X", 4_000_022), ("startDate=x", 4_000_015),
                ("startDate=2&endDate=1", 4_000_013), ("revoked=1", 4_000_030), ("revision=x", 4_000_005),
            ] as [(String, Int64)] {
                #expect(try await fixture.api("GET", "/v2/history/\(id)?\(query)").errorCode == code, "\(query)")
            }
        }
    }

    @Test func refundsAreListedByTheirDate() async throws {
        try await withSimulator { fixture in
            var ids: [String] = []
            for _ in 0..<22 {
                ids.append(try first(await fixture.act(["act": "buy", "customer": "c1", "productId": "coins.100"])))
            }
            for id in ids.reversed() {
                try await fixture.act(["act": "refund", "transactionId": .string(id)])
                try await fixture.pass(1000)
            }
            let one = try await fixture.api("GET", "/v2/refund/lookup/\(ids[0])")
            let two = try await fixture.api("GET", "/v2/refund/lookup/\(ids[0])?revision=\(one.text("revision"))")
            let all = try (one.payloads("signedTransactions") + two.payloads("signedTransactions"))
            #expect(all.compactMap { $0["transactionId"]?.stringValue } == ids.reversed())
            #expect(one.json["hasMore"] == true && two.json["hasMore"] == false)
        }
    }

    @Test func notificationsAreListedAsTheyWereSent() async throws {
        let sender = CollectingSender(["UNSUCCESSFUL_HTTP_RESPONSE_CODE"])
        try await withSimulator(sender: sender) { fixture in
            let id = try first(await fixture.act(["act": "buy", "customer": "c1", "productId": "pro.monthly"]))
            try await fixture.act(["act": "buy", "customer": "c2", "productId": "export"])
            await fixture.simulator.delivered()
            let range: JSONObject = ["startDate": .integer(Shop.start - day), "endDate": .integer(Shop.start + day)]
            func history(_ change: JSONObject) async throws -> SimulatorFixture.Answer {
                var body = range
                for member in change.members { body[member.name] = member.value }
                return try await fixture.api("POST", "/v1/notifications/history", body: .object(body))
            }
            let all = try await history([:])
            let items = try #require(all.json["notificationHistory"]?.arrayValue).compactMap(\.objectValue)
            #expect(items.compactMap { $0["signedPayload"]?.stringValue } == sender.payloads)
            let attempt = items.first?["sendAttempts"]?.arrayValue?.first?.objectValue
            #expect(attempt?["sendAttemptResult"] == "UNSUCCESSFUL_HTTP_RESPONSE_CODE")
            #expect(all.json["hasMore"] == false && all.json["paginationToken"] == nil)
            for (filter, count) in [
                (["onlyFailures": true], 1), (["notificationType": "ONE_TIME_CHARGE"], 1),
                (["notificationType": "SUBSCRIBED", "notificationSubtype": "RESUBSCRIBE"], 0),
                (["transactionId": .string(id)], 1),
            ] as [(JSONObject, Int)] {
                let answer = try await history(filter)
                #expect(answer.json["notificationHistory"]?.arrayValue?.count == count, "\(filter)")
            }
            let both = try await history(["transactionId": .string(id), "notificationType": "TEST"])
            #expect(both.errorCode == 4_000_019)
            #expect(try await history(["startDate": .integer(Shop.start - 31 * day)]).errorCode == 4_000_012)
        }
    }

    @Test func notificationHistoryPages() async throws {
        try await withSimulator { fixture in
            let acts = (0..<45).map { number -> JSONValue in
                ["act": "buy", "customer": .string("c\(number)"), "productId": "coins.100"]
            }
            try await fixture.act(.array(acts))
            await fixture.simulator.delivered()
            let body: JSONValue = ["startDate": .integer(Shop.start - day), "endDate": .integer(Shop.start + day)]
            var query = ""
            var counts: [Int] = []
            while counts.count < 4 {
                let page = try await fixture.api("POST", "/v1/notifications/history\(query)", body: body)
                counts.append(page.json["notificationHistory"]?.arrayValue?.count ?? -1)
                guard page.json["hasMore"] == true else { break }
                query = "?paginationToken=\(page.text("paginationToken"))"
            }
            #expect(counts == [20, 20, 5])
            let other: JSONValue = ["startDate": .integer(Shop.start - day), "endDate": .integer(Shop.start)]
            let wrong = try await fixture.api("POST", "/v1/notifications/history\(query)", body: other)
            #expect(wrong.errorCode == 4_000_014)
        }
    }

    @Test func aTestNotificationIsSentAndItsStatusTold() async throws {
        let sender = CollectingSender()
        try await withSimulator(sender: sender) { fixture in
            let asked = try await fixture.api("POST", "/v1/notifications/test")
            await fixture.simulator.delivered()
            let status = try await fixture.api("GET", "/v1/notifications/test/\(asked.text("testNotificationToken"))")
            #expect([status.text("signedPayload")] == sender.payloads)
            let payload = try #require(sender.notifications.first)
            #expect(payload["notificationType"] == "TEST" && payload["subtype"] == nil)
            let data = try #require(payload["data"]?.objectValue)
            #expect(Set(data.names) == ["bundleId", "environment", "appAppleId"])
            #expect(try await fixture.api("GET", "/v1/notifications/test/no").errorCode == 4_040_008)
        }
        try await withSimulator(change: { $0.notificationURL = nil }) { fixture in
            let refused = try await fixture.api("POST", "/v1/notifications/test")
            #expect(refused.errorCode == 4_040_007)
        }
    }

    @Test func renewalsAreExtended() async throws {
        try await withSimulator { fixture in
            let id = try first(await fixture.act(["act": "buy", "customer": "c1", "productId": "pro.monthly"]))
            let terms: JSONValue = ["extendByDays": 10, "extendReasonCode": 1, "requestIdentifier": "r1"]
            let extended = try await fixture.api("PUT", "/v1/subscriptions/extend/\(id)", body: terms)
            #expect(extended.json["success"] == true)
            #expect(extended.json["effectiveDate"] == .integer(Shop.start - 250 + 41 * day))
            let wrong: JSONValue = ["extendByDays": 91, "extendReasonCode": 1, "requestIdentifier": "r1"]
            #expect(
                try await fixture.api("PUT", "/v1/subscriptions/extend/\(id)", body: wrong).errorCode == 4_000_009)
            try await fixture.act(["act": "buy", "customer": "c2", "productId": "pro.monthly"])
            let all: JSONValue = [
                "extendByDays": 1, "extendReasonCode": 2, "requestIdentifier": "m1", "productId": "pro.monthly",
                "storefrontCountryCodes": ["USA"],
            ]
            let mass = try await fixture.api("POST", "/v1/subscriptions/extend/mass", body: all)
            #expect(mass.json["requestIdentifier"] == "m1")
            _ = try await fixture.api("POST", "/v1/subscriptions/extend/mass", body: all)
            // The first customer's second and third extension: one too many.
            let status = try await fixture.api("GET", "/v1/subscriptions/extend/mass/pro.monthly/m1")
            #expect(status.json["succeededCount"] == 1 && status.json["failedCount"] == 1)
            #expect(try await fixture.api("PUT", "/v1/subscriptions/extend/\(id)", body: terms).errorCode == 4_030_005)
        }
    }

    @Test func tokensAreSetOnOriginalTransactions() async throws {
        try await withSimulator { fixture in
            let id = try first(await fixture.act(["act": "buy", "customer": "c1", "productId": "pro.monthly"]))
            let shared = try first(
                await fixture.act(["act": "shareWithFamily", "customer": "c1", "members": ["m1"]]))
            let body: JSONValue = ["appAccountToken": .string(tokenB)]
            let path = "/v1/transactions"
            #expect(try await fixture.api("PUT", "\(path)/\(id)/appAccountToken", body: body).status == 200)
            let info = try await fixture.api("GET", "\(path)/\(id)")
            #expect(try decoded(info.text("signedTransactionInfo"))["appAccountToken"]?.stringValue == tokenB)
            #expect(
                try await fixture.api("PUT", "\(path)/\(shared)/appAccountToken", body: body).errorCode == 4_000_185)
            let bad: JSONValue = ["appAccountToken": "me"]
            #expect(try await fixture.api("PUT", "\(path)/\(id)/appAccountToken", body: bad).errorCode == 4_000_183)
            let renewed = try first(await fixture.pass(31 * day))
            #expect(
                try await fixture.api("PUT", "\(path)/\(renewed)/appAccountToken", body: body).errorCode == 4_000_187)
        }
    }

    @Test func consumptionAndOrdersAndAppTransactions() async throws {
        try await withSimulator(environment: .production) { fixture in
            let bought = try await fixture.act(["act": "buy", "customer": "c1", "productId": "coins.100"])
            let id = try first(bought)
            let order = bought["transactions"]?.arrayValue?.first?.objectValue?["orderId"]?.stringValue ?? ""
            let said: JSONValue = [
                "customerConsented": true, "sampleContentProvided": false, "deliveryStatus": "DELIVERED",
            ]
            #expect(try await fixture.api("PUT", "/v2/transactions/consumption/\(id)", body: said).status == 202)
            let silent: JSONValue = ["customerConsented": false]
            let refused = try await fixture.api("PUT", "/v2/transactions/consumption/\(id)", body: silent)
            #expect(refused.errorCode == 4_000_035)
            let found = try await fixture.api("GET", "/v1/lookup/\(order)")
            #expect(try found.payloads("signedTransactions").first?["transactionId"]?.stringValue == id)
            #expect(try await fixture.api("GET", "/v1/lookup/M0").json["status"] == 1)
            let app = try await fixture.api("GET", "/v1/transactions/appTransactions/\(id)")
            let payload = try decoded(app.text("signedAppTransactionInfo"))
            #expect(payload["receiptType"] == "Production" && payload["bundleId"]?.stringValue == Shop.bundleId)
        }
    }

    @Test func limitsAreByTheHourAndSayWhenInMilliseconds() async throws {
        try await withSimulator(change: { $0.rateShare = 0.001 }) { fixture in
            // 1 a second is 3600 an hour, and a thousandth of that 3.
            var answers: [SimulatorFixture.Answer] = []
            for _ in 0..<4 { answers.append(try await fixture.api("POST", "/v1/notifications/test")) }
            #expect(answers.map(\.status) == [200, 200, 200, 429])
            #expect(answers[3].errorCode == 4_290_000)
            let retry = try #require(answers[3].headers["retry-after"].flatMap(Int64.init))
            #expect(retry > MachineTime.seconds * 1000)
        }
    }
}
