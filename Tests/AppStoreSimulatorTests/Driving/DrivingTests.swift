import AppStoreSimulator
import Entitlements
import Testing

@Suite struct DrivingTests {
    @Test func theClockStepsWithEverythingOnTheWay() async throws {
        try await withSimulator { fixture in
            try await fixture.act(["act": "buy", "customer": "c1", "productId": "pro.monthly"])
            let before = try await fixture.send("GET", "/simulator/clock")
            #expect(before.json["now"] == .integer(Shop.start) && before.json["speed"] == 0)
            let passed = try await fixture.pass(65 * day)
            #expect(passed["now"] == .integer(Shop.start + 65 * day))
            #expect(passed["notifications"]?.arrayValue?.count == 2)
            #expect(passed["transactions"]?.arrayValue?.count == 2)
            let wrong = try await fixture.send("POST", "/simulator/clock", body: ["advanceMs": -1])
            #expect(wrong.status == 400)
        }
    }

    @Test func refusalsSayWhy() async throws {
        try await withSimulator { fixture in
            for (act, status, code) in [
                (["act": "buy", "customer": "c1"], 400, "malformed"),
                (["act": "refund", "customer": "nobody"], 404, "unknown"),
                (
                    [
                        ["act": "buy", "customer": "c1", "productId": "export"],
                        ["act": "reverseRefund", "customer": "c1"],
                    ],
                    409, "notAllowed"
                ),
            ] as [(JSONValue, Int, String)] {
                let answer = try await fixture.send("POST", "/simulator/acts", body: act)
                #expect(answer.status == status && answer.text("code") == code, "\(answer.json)")
                #expect(!answer.text("detail").isEmpty)
            }
            #expect(try await fixture.send("GET", "/simulator/nothing").status == 404)
            #expect(try await fixture.send("GET", "/").status == 404)
        }
    }

    @Test func theStateIsToldAndCanBeForgotten() async throws {
        try await withSimulator { fixture in
            let bought = try await fixture.act(["act": "buy", "customer": "c1", "productId": "pro.monthly"])
            let state = try await fixture.send("GET", "/simulator/state?customer=c1").json
            let customer = try #require(state["customers"]?.arrayValue?.first?.objectValue)
            #expect(customer["subscriptions"]?.arrayValue?.first?.objectValue?["status"] == 1)
            #expect(customer["transactions"]?.arrayValue?.count == 1)
            #expect(try await fixture.send("POST", "/simulator/reset").status == 200)
            #expect(try await fixture.send("GET", "/simulator/state").json["customerCount"] == 0)
            let again = try await fixture.act(["act": "buy", "customer": "c1", "productId": "pro.monthly"])
            #expect(again["transactions"] != bought["transactions"])
            let ids = [bought, again].map { $0["transactions"]?.arrayValue?.first?.objectValue?["transactionId"] }
            #expect(ids[0] != ids[1])
        }
    }

    @Test func aDeviceHasEveryTransactionAsItIsNow() async throws {
        try await withSimulator { fixture in
            try await fixture.act(["act": "buy", "customer": "c1", "productId": "pro.monthly"])
            try await fixture.act(["act": "changePlan", "customer": "c1", "productId": "plus.monthly"])
            let device = try await fixture.send("GET", "/simulator/device?customer=c1")
            let transactions = try device.payloads("signedTransactions")
            #expect(transactions.map { $0["isUpgraded"]?.boolValue } == [true, nil])
            #expect(try device.payloads("signedRenewalInfos").last?["productId"] == "plus.monthly")
        }
    }
}
