import AppStoreSimulator
import Entitlements
import Foundation
import TestSupport
import Testing

@testable import Service

@Suite struct OperatorTests {
    private static let app = "/v1/apps/com.example.app"

    @Test func aBackendRegistersAndIssuesTokens() async throws {
        try await withRunningService { service in
            let backend = try ServiceClient.scope(.backend, of: service)
            let account = newAccount()
            let put = try await backend.send("PUT", "\(Self.app)/accounts/\(account)")
            #expect(put.status == 200)
            let issued = try await backend.send("POST", ServiceClient.path(account, "tokens?ttl=120"))
            #expect(issued.status == 201)
            #expect(try issued.json()["expiresAt"]?.integerValue == RunningService.start + 120_000)
            let token = try #require(try issued.json()["token"]?.stringValue)
            let device = ServiceClient(service: service, bearer: token)
            #expect(try await device.entitlements(account).status == 200)
            #expect(try await device.send("POST", ServiceClient.path(account, "tokens")).code() == "forbiddenScope")
            #expect(
                try await backend.send("POST", ServiceClient.path(account, "tokens?ttl=9999999")).code()
                    == "invalidParameter")
        }
    }

    @Test func grantsComeAndGo() async throws {
        try await withRunningService { service in
            let support = try ServiceClient.scope(.support, of: service)
            let account = newAccount()
            let path = ServiceClient.path(account, "grants")
            let granted = try await support.send(
                "POST", path, json: ["id": "g1", "entitlement": "pro", "reason": "sorry"])
            #expect(granted.status == 200)
            let entry = try granted.json()["snapshot"]?.objectValue?["entitlements"]?.arrayValue?.first?.objectValue
            #expect(entry?["isActive"] == true && entry?["transactionId"] == "g1")
            let other = ServiceClient.path(newAccount(), "grants")
            #expect(
                try await support.send("POST", other, json: ["id": "g1", "entitlement": "pro"]).code() == "grantExists")
            #expect(
                try await support.send("POST", path, json: ["entitlement": "pro", "until": 5]).code() == "invalidBody")
            #expect(try await support.send("POST", path, json: [:]).code() == "invalidBody")
            service.clock.advance(by: 1000)
            let revoked = try await support.send("DELETE", "\(Self.app)/grants/g1")
            let after = try revoked.json()["snapshot"]?.objectValue?["entitlements"]?.arrayValue?.first?.objectValue
            #expect(after?["isActive"] == false)
            #expect(try await support.send("DELETE", "\(Self.app)/grants/none").code() == "unknownGrant")

            let past = try await support.entitlements(
                account, "?at=\(RunningService.start)&knownAt=\(RunningService.start)")
            let then = try past.json()["snapshot"]?.objectValue?["entitlements"]?.arrayValue?.first?.objectValue
            #expect(then?["isActive"] == true)
        }
    }

    /// It was 409 grantExists: each repetition began later than the one before.
    @Test func aGrantRepeatedWithoutFromIsADuplicate() async throws {
        try await withRunningService { service in
            let support = try ServiceClient.scope(.support, of: service)
            let path = ServiceClient.path(newAccount(), "grants")
            let wish: JSONValue = [
                "id": "g1", "entitlement": "pro", "until": .integer(RunningService.start + 5000), "reason": "sorry",
            ]
            let first = try await support.send("POST", path, json: wish).json()
            #expect(first["outcome"] == "recorded")
            // Also after its end, when the same wish would be refused as a new one.
            for _ in 1...2 {
                service.clock.advance(by: 4000)
                let again = try await support.send("POST", path, json: wish)
                #expect(again.status == 200)
                let json = try again.json()
                #expect(json["outcome"] == "duplicate")
                let snapshot = json["snapshot"]?.objectValue
                #expect(snapshot?["version"] == 1)
                let entry = snapshot?["entitlements"]?.arrayValue?.first?.objectValue
                #expect(entry?["purchaseDate"] == .integer(RunningService.start))
            }
            let other: JSONValue = ["id": "g1", "entitlement": "pro", "reason": "sorry"]
            #expect(try await support.send("POST", path, json: other).code() == "grantExists")
            let late: JSONValue = ["id": "g2", "entitlement": "pro", "until": .integer(RunningService.start + 5000)]
            #expect(try await support.send("POST", path, json: late).code() == "invalidBody")
            let from = RunningService.start + 1
            let other2: JSONValue = [
                "id": "g1", "entitlement": "pro", "from": .integer(from),
                "until": .integer(RunningService.start + 5000),
                "reason": "sorry",
            ]
            #expect(try await support.send("POST", path, json: other2).code() == "grantExists")
        }
    }

    /// It was answered `recorded` and shown nowhere.
    @Test func aCreditThatOverflowsIsInSight() async throws {
        try await withRunningService { service in
            let account = newAccount()
            let client = try ServiceClient.device(account, of: service)
            let data = SignedData(service: service)
            let huge = try data.transaction(1, product: "coins100", changing: ["quantity": .integer(.max / 100)])
            let one = try data.transaction(2, product: "coins100")
            let none = try data.transaction(3, product: "coins100", changing: ["quantity": 0])
            let pushed = try await client.push([huge, one, none], account: account).json()
            let snapshot = try #require(pushed["snapshot"]?.objectValue)
            #expect(snapshot["balances"]?.objectValue?["coins"] == .integer(.max / 100 * 100))
            #expect(snapshot["needsReconciliation"] == true)
            let support = try ServiceClient.scope(.support, of: service)
            let history = try await support.send("GET", ServiceClient.path(account, "history")).json()
            let faults = (history["history"]?.arrayValue ?? []).compactMap { entry in
                entry.objectValue?["balanceChanges"]?.arrayValue?.first?.objectValue?["fault"]?.stringValue
            }
            #expect(faults == ["overflow", "invalidQuantity"])
        }
    }

    /// An erasure leaves the keys of what it emptied in the log: the same grant, spend or purchase could never be stored again.
    @Test func whatWasErasedMayComeAgain() async throws {
        try await withRunningService { service in
            let admin = try ServiceClient.scope(.admin, of: service)
            let account = newAccount()
            let device = try ServiceClient.device(account, of: service)
            let purchase = try SignedData(service: service).transaction(77)
            for _ in 1...2 {
                let grant = try await admin.send(
                    "POST", ServiceClient.path(account, "grants"), json: ["id": "g-again", "entitlement": "pro"])
                #expect(grant.status == 200)
                let pushed = try await device.push([purchase], account: account)
                let result = try pushed.json()["results"]?.arrayValue?.first?.objectValue
                #expect(result?["outcome"] == "recorded")
                #expect(try await admin.send("POST", ServiceClient.path(account, "erase")).status == 200)
                #expect(try await admin.send("POST", "\(Self.app)/lineages/77/free").status == 200)
                service.clock.advance(by: 1000)
            }
        }
    }

    @Test func balancesAreSpentOnce() async throws {
        try await withRunningService { service in
            let account = newAccount()
            let client = try ServiceClient.device(account, of: service)
            _ = try await client.push(
                [SignedData(service: service).transaction(1, product: "coins100")], account: account)
            func spend(_ amount: Int64, _ key: String) async throws -> ServiceClient.Reply {
                try await client.send(
                    "POST", ServiceClient.path(account, "balances/coins/spend"),
                    json: ["amount": .integer(amount), "idempotencyKey": .string(key)])
            }
            let first = try await spend(80, "k1")
            #expect(try first.json()["snapshot"]?.objectValue?["balances"] == ["coins": 20])
            let again = try await spend(80, "k1")
            #expect(try again.json()["snapshot"]?.objectValue?["balances"] == ["coins": 20])
            let written = try await client.send(
                "POST", ServiceClient.path(account, "balances/coins/spend"),
                body: Data(#"{"amount":80.0,"idempotencyKey":"k1"}"#.utf8))
            #expect(
                try written.json()["snapshot"]?.objectValue?["balances"] == ["coins": 20], "80.0 is a whole number, too"
            )
            let conflict = try await spend(10, "k1")
            #expect(conflict.status == 409)
            #expect(try conflict.code() == "idempotencyConflict")
            #expect(try await spend(21, "k2").code() == "insufficientBalance")
            #expect(try await spend(-1, "k3").code() == "invalidAmount")
            #expect(try await spend(0, "").code() == "invalidBody")
        }
    }

    @Test func purchasesAreListedMovedAndErased() async throws {
        try await withRunningService { service in
            let admin = try ServiceClient.scope(.admin, of: service)
            let data = SignedData(service: service)
            let anybody = ServiceClient(service: service)
            _ = try await anybody.send(
                "POST", "\(Self.app)/notifications/appstore",
                json: [
                    "signedPayload": .string(
                        try data.notification("n1", transaction: try data.transaction(5, product: "life")))
                ])
            #expect(try await admin.send("GET", "\(Self.app)/unclaimed").json() == ["unclaimed": ["5"], "next": nil])
            #expect(
                try await admin.send("GET", "\(Self.app)/unclaimed?limit=1").json() == [
                    "unclaimed": ["5"], "next": "5",
                ])

            let account = newAccount()
            _ = try await admin.send("PUT", "\(Self.app)/accounts/\(account)")
            let path = ServiceClient.path(account, "transfer")
            let moved = try await admin.send("POST", path, json: ["originalTransactionId": "5"])
            #expect(moved.status == 200)
            #expect(try await admin.send("POST", path, json: ["originalTransactionId": "5"]).code() == "alreadyOwner")
            #expect(try await admin.send("POST", path, json: ["originalTransactionId": "6"]).code() == "unknownLineage")
            #expect(try await admin.send("GET", "\(Self.app)/unclaimed").json()["unclaimed"] == [])

            let erased = try await admin.send("POST", ServiceClient.path(account, "erase"))
            #expect(try erased.json() == ["outcome": "recorded"])
            let left = try await admin.entitlements(account).json()
            #expect(left["snapshot"]?.objectValue?["entitlements"] == [])
        }
    }

    @Test func anAccountIsExplained() async throws {
        try await withRunningService { service in
            let account = newAccount()
            let client = try ServiceClient.device(account, of: service)
            let data = SignedData(service: service)
            let signed = try data.transaction(3, product: "life")
            _ = try await client.push([signed], account: account)
            service.clock.advance(by: 1000)
            // Signed again with the same content: no event, but a date that orders later copies.
            let payload = SignedData.payload(3, product: "life")
            var again = payload
            again["signedDate"] = .integer(service.clock.now())
            _ = try await client.push([try service.authority.sign(again)], account: account)
            service.clock.advance(by: 1000)
            var refund = payload
            refund["signedDate"] = .integer(service.clock.now())
            refund["revocationDate"] = .integer(service.clock.now())
            refund["revocationReason"] = 0
            _ = try await client.push([try service.authority.sign(refund)], account: account)
            // A copy from between, which came late: outdated.
            var late = payload
            late["signedDate"] = .integer(RunningService.start + 1500)
            late["currency"] = "EUR"
            service.clock.advance(by: 1000)
            _ = try await client.push([try service.authority.sign(late)], account: account)

            let support = try ServiceClient.scope(.support, of: service)
            let history = try await support.send("GET", ServiceClient.path(account, "history")).json()
            let entries = try #require(history["history"]?.arrayValue).compactMap(\.objectValue)
            #expect(entries.map { $0["version"]?.integerValue } == (1...Int64(entries.count)).map { $0 })
            #expect(entries.contains { $0["type"] == "refunded" })
            #expect(entries.contains { $0["isOutdated"] == true })
            #expect(history["next"] == .null)
            let page = try await support.send("GET", ServiceClient.path(account, "history?after=1&limit=1")).json()
            #expect(page["history"]?.arrayValue?.count == 1 && page["next"] == 2)

            let now = try await support.send("GET", ServiceClient.path(account, "explain?entitlement=export")).json()
            let text = JSONValue.object(now).text
            #expect(text.contains("export") && text.contains("\"3\""))
            let before = try await support.send(
                "GET", ServiceClient.path(account, "explain?at=\(RunningService.start)&knownAt=\(RunningService.start)")
            )
            #expect(before.status == 200)
            let device = try await client.send("GET", ServiceClient.path(account, "explain"))
            #expect(try device.code() == "forbiddenScope")
        }
    }

    @Test func aLockedPurchaseIsFreed() async throws {
        try await withRunningService { service in
            let admin = try ServiceClient.scope(.admin, of: service)
            let (first, second) = (newAccount(), newAccount())
            let signed = try SignedData(service: service).transaction(8, product: "life")
            _ = try await ServiceClient.device(first, of: service).push([signed], account: first)
            let path = "\(Self.app)/lineages/8/free"
            #expect(try await admin.send("POST", path).code() == "notLocked")
            _ = try await admin.send("POST", ServiceClient.path(first, "erase"))
            let transfer = ServiceClient.path(second, "transfer")
            let locked = try await admin.send("POST", transfer, json: ["originalTransactionId": "8"])
            #expect(try locked.code() == "lineageLocked")
            #expect(try await admin.send("POST", path).json() == ["outcome": "recorded"])
            #expect(try await admin.send("POST", "\(Self.app)/lineages/9/free").code() == "unknownLineage")
        }
    }

    @Test func catalogsAreChecked() async throws {
        try await withRunningService { service in
            let admin = try ServiceClient.scope(.admin, of: service)
            let path = "\(Self.app)/catalog"
            let current = try await admin.send("GET", path).json()
            #expect(current["revision"] == 1)
            let same = try await admin.send("PUT", path, json: try #require(current["catalog"]))
            #expect(try same.json()["outcome"] == "duplicate")
            for body in [#"{"products":{"a":{}}}"#, "{", #"{"bundleId":"com.example.other","products":{}}"#] {
                #expect(try await admin.send("PUT", path, body: Data(body.utf8)).code() == "invalidCatalog", "\(body)")
            }
            let long = String(repeating: "x", count: 1025)
            let refused = try await admin.send(
                "PUT", path + "?reason=\(long)", json: try #require(current["catalog"]))
            #expect(try refused.code() == "invalidParameter")
            let changed = try await admin.send(
                "PUT", path + "?reason=new", body: Data(standardCatalog.replacing("100}}", with: "200}}").utf8))
            #expect(try changed.json()["revision"] == 2)
            #expect(try changed.json()["changes"]?.arrayValue?.count == 1)
        }
    }

    @Test func anybodyMaySeeKeysAndHealth() async throws {
        try await withRunningService { service in
            let anybody = ServiceClient(service: service)
            let keys = try await anybody.send("GET", "/.well-known/jwks.json")
            #expect(try JSONValue.object(keys.json()) == service.keys.jwks)
            #expect(try await anybody.send("GET", "/healthz").status == 200)
            #expect(try await anybody.send("GET", "/readyz").status == 200)
            let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
            let traced = try await anybody.send("GET", "/healthz", headers: ["traceparent": trace])
            #expect(traced.header("traceparent") == trace)
            let metrics = try await ServiceClient.scope(.metrics, of: service).send("GET", "/metrics")
            let page = String(decoding: metrics.body, as: UTF8.self)
            #expect(page.contains(#"entitled_requests_total{method="GET",route="/healthz",status="200"} 2"#))
        }
    }
}
