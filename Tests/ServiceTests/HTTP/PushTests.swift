import AppStoreSimulator
import Entitlements
import Foundation
import Signatures
import TestSupport
import Testing

@testable import Service

@Suite struct PushTests {
    @Test func aPushIsDurableAndAnswersWithTheView() async throws {
        try await withRunningService { service in
            let account = newAccount()
            let client = try ServiceClient.device(account, of: service)
            let signed = try SignedData(service: service).transaction(1)
            let reply = try await client.push([signed], account: account)
            #expect(reply.status == 200)
            let body = try reply.json()
            #expect(body["results"] == [["transactionId": "1", "outcome": "recorded", "finish": true]])
            let snapshot = try #require(body["snapshot"]?.objectValue)
            #expect(snapshot["version"] == 2, "the purchase and its claim")
            #expect(snapshot["environment"] == "Production")
            #expect(snapshot["account"]?.stringValue == account.description)
            #expect(reply.header("Entitlement-Cursor") == body["cursor"]?.stringValue)

            let again = try await client.push([signed, signed], account: account).json()
            let duplicate: JSONValue = ["transactionId": "1", "outcome": "duplicate", "finish": true]
            #expect(again["results"] == [duplicate, duplicate])

            let other = newAccount()
            let stranger = try await ServiceClient.device(other, of: service).push([signed], account: other).json()
            #expect(
                stranger["results"] == [["transactionId": "1", "outcome": "belongsToAnotherAccount", "finish": true]])
            let theirs = stranger["snapshot"]?.objectValue?["entitlements"]
            #expect(theirs == [])
        }
    }

    @Test func onlyARestoreMovesAPurchase() async throws {
        try await withRunningService { service in
            let (first, second) = (newAccount(), newAccount())
            let signed = try SignedData(service: service).transaction(7, product: "life")
            _ = try await ServiceClient.device(first, of: service).push([signed], account: first)
            service.clock.advance(by: 1000)
            let reply = try await ServiceClient.device(second, of: service).push(
                [signed], account: second, to: "restore")
            let entitlements = try reply.json()["snapshot"]?.objectValue?["entitlements"]?.arrayValue
            #expect(entitlements?.first?.objectValue?["isActive"] == true)
            let left = try await ServiceClient.device(first, of: service).entitlements(first).json()
            let entry = left["snapshot"]?.objectValue?["entitlements"]?.arrayValue?.first?.objectValue
            #expect(entry?["isActive"] == false)
        }
    }

    /// Everything that is not Apple's for this app is refused one by one, and the good neighbour is stored.
    @Test func badSignedDataIsRefusedItemByItem() async throws {
        try await withRunningService { service in
            let account = newAccount()
            let data = SignedData(service: service)
            let good = try data.transaction(10, product: "life")
            let parts = good.split(separator: ".").map(String.init)
            let other = try data.transaction(9).split(separator: ".").map(String.init)
            let stranger = try StrangeAuthority.sign(SignedData.payload(11))
            let unsigned = Base64URL.encode(Array(#"{"alg":"none"}"#.utf8)) + "." + parts[1] + "."
            let items: [(String, String)] = [
                ("", "malformed"), ("x", "malformed"), ("a.b.c", "malformed"),
                (String(good.dropLast(200)), "malformed"), (good + "A", "malformed"),
                (unsigned, "malformed"), (stranger, "signature"),
                ("\(parts[0]).\(parts[1]).\(other[2])", "signature"),
                (try data.transaction(12, changing: ["bundleId": "com.example.other"]), "bundleId"),
                (try data.transaction(13, changing: ["environment": "Xcode"]), "environment"),
                (try data.transaction(14, changing: ["purchaseDate": 1]), "malformed"),
                (try service.authority.sign(Array(String(repeating: "[", count: 5000).utf8)), "malformed"),
                (try service.authority.sign([0x7B, 0x22, 0xFF, 0xFE, 0x22, 0x7D]), "malformed"),
                (String(repeating: "a", count: 300_000), "malformed"), ("\u{0}\u{FFFD}é", "malformed"),
            ]
            let reply = try await ServiceClient.device(account, of: service).push(
                items.map(\.0) + [good], account: account)
            #expect(reply.status == 200)
            let results = try #require(try reply.json()["results"]?.arrayValue)
            #expect(results.count == items.count + 1)
            for (result, item) in zip(results, items) {
                let result = try #require(result.objectValue)
                #expect(result["outcome"] == "rejected" && result["finish"] == false, "\(item.0.prefix(40))")
                #expect(result["reason"]?.stringValue == item.1, "\(item.0.prefix(40))")
            }
            #expect(results.last?.objectValue?["outcome"] == "recorded")
            let snapshot = try reply.json()["snapshot"]?.objectValue
            #expect(snapshot?["version"] == 2, "one purchase and its claim")
        }
    }

    @Test func aSignedSnapshotComesOnRequest() async throws {
        try await withRunningService { service in
            let account = newAccount()
            let client = try ServiceClient.device(account, of: service)
            let signed = try SignedData(service: service).transaction(1)
            let reply = try await client.send(
                "POST", ServiceClient.path(account, "transactions"), json: ["signedTransactions": [.string(signed)]],
                headers: ["Entitlement-Signed": "1", "Entitlement-Installation": "i-1"])
            let body = try reply.json()
            let jws = try CompactJWS(try #require(body["signedSnapshot"]?.stringValue).utf8)
            let key = try #require(service.keys.current?.privateKey.publicKey)
            #expect(key.isValid(signature: try jws.signature(), for: jws.signingInput))
            let header = try #require(try JSONValue(parsing: jws.header()).objectValue)
            #expect(header["typ"] == "entitled-snapshot+jwt" && header["alg"] == "EdDSA")
            let payload = try #require(try JSONValue(parsing: jws.payload()).objectValue)
            #expect(payload["snapshot"] == body["snapshot"] && payload["cursor"] == body["cursor"])
            #expect(payload["serverTime"]?.integerValue == RunningService.start)
            #expect(payload["installation"] == "i-1" && payload["epoch"] == 1)
            #expect(payload["activation"]?.integerValue != nil)
        }
    }

    @Test func renewalInfosHaveResultsOfTheirOwn() async throws {
        try await withRunningService { service in
            let account = newAccount()
            let data = SignedData(service: service)
            let renewal = try service.authority.sign([
                "originalTransactionId": "1", "productId": "pro.m", "autoRenewProductId": "pro.m",
                "autoRenewStatus": 1, "environment": "Production", "signedDate": .integer(service.clock.now()),
            ])
            let reply = try await ServiceClient.device(account, of: service).send(
                "POST", ServiceClient.path(account, "transactions"),
                json: [
                    "signedTransactions": [.string(try data.transaction(1))], "signedRenewalInfos": [.string(renewal)],
                ])
            let body = try reply.json()
            #expect(body["renewalResults"]?.arrayValue?.first?.objectValue?["outcome"] == "recorded")
            let entry = body["snapshot"]?.objectValue?["entitlements"]?.arrayValue?.first?.objectValue
            #expect(entry?["willRenew"] == true)
        }
    }
}
