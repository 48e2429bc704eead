import Entitlements
import Foundation
import TestSupport
import Testing

@testable import Service

/// What operators find, and what is recorded of what they do.
@Suite struct AuditTests {
    private static let app = "/v1/apps/com.example.app"

    private func acts(_ query: String, _ client: ServiceClient) async throws -> (acts: [JSONObject], next: String?) {
        let reply = try await client.send("GET", "\(Self.app)/audit\(query)").json()
        return (reply["acts"]?.arrayValue?.compactMap(\.objectValue) ?? [], reply["next"]?.stringValue)
    }

    @Test func everyActIsRecordedWithWhoAndWhy() async throws {
        try await withRunningService { service in
            let admin = try ServiceClient.scope(.admin, of: service)
            let support = try ServiceClient.scope(.support, of: service)
            let account = newAccount()
            let path = ServiceClient.path(account, "grants")
            _ = try await support.send("POST", path, json: ["id": "g1", "entitlement": "pro", "reason": "sorry"])
            service.clock.advance(by: 10)
            let revoked = try await support.send("DELETE", "\(Self.app)/grants/g1?reason=a%20mistake")
            service.clock.advance(by: 10)
            _ = try await admin.send(
                "POST", ServiceClient.path(account, "transfer?reason=asked"), json: ["originalTransactionId": "none"])

            let (all, _) = try await acts("?account=\(account)", support)
            #expect(all.map { $0["act"]?.stringValue } == ["transfer", "revokeGrant", "grant"])
            #expect(all.map { $0["reason"]?.stringValue } == ["asked", "a mistake", "sorry"])
            #expect(all.map { $0["scope"]?.stringValue } == ["admin", "support", "support"])
            #expect(all.map { $0["outcome"]?.stringValue } == ["unknownLineage", "done", "done"])
            #expect(all.map { $0["subject"]?.stringValue } == ["none", "g1", "g1"])
            #expect(all[1]["requestId"]?.stringValue == revoked.header("Request-Id"))
            #expect(all[1]["at"]?.integerValue == RunningService.start + 10)

            let (first, next) = try await acts("?limit=2", support)
            #expect(first == Array(all.prefix(2)))
            let (rest, end) = try await acts("?limit=2&before=\(try #require(next))", support)
            #expect(rest == Array(all.suffix(1)) && end == nil)
        }
    }

    @Test func anErasureForgetsWhomActsWereUpon() async throws {
        try await withRunningService { service in
            let admin = try ServiceClient.scope(.admin, of: service)
            let account = newAccount()
            _ = try await admin.send(
                "POST", ServiceClient.path(account, "grants"), json: ["entitlement": "pro", "reason": "for Kim"])
            service.clock.advance(by: 10)
            _ = try await admin.send("POST", ServiceClient.path(account, "erase?reason=asked%20in%20writing"))
            #expect(try await acts("?account=\(account)", admin).acts.isEmpty)
            let (all, _) = try await acts("", admin)
            #expect(all.map { $0["act"]?.stringValue } == ["erase", "grant"])
            #expect(all.map { $0["reason"]?.stringValue } == ["asked in writing", ""])
            #expect(all.allSatisfy { $0["account"] == .null && $0["actor"] == "test" })
        }
    }

    @Test func nothingIsDoneOrRecordedForSenseless() async throws {
        try await withRunningService { service in
            let admin = try ServiceClient.scope(.admin, of: service)
            let erase = ServiceClient.path(newAccount(), "erase?reason=\(String(repeating: "x", count: 1025))")
            #expect(try await admin.send("POST", erase).code() == "invalidParameter")
            for query in ["?before=1", "?before=x-y", "?account=nobody", "?limit=0"] {
                #expect(
                    try await admin.send("GET", "\(Self.app)/audit\(query)").code() == "invalidParameter", "\(query)")
            }
            #expect(try await acts("", admin).acts.isEmpty)
        }
    }

    @Test func accountsAreFoundByAnyID() async throws {
        try await withRunningService { service in
            let support = try ServiceClient.scope(.support, of: service)
            let account = newAccount()
            let device = try ServiceClient.device(account, of: service)
            let signed = SignedData(service: service)
            let renewal = try signed.transaction(302, changing: ["originalTransactionId": "301"])
            _ = try await device.push([try signed.transaction(301), renewal], account: account)
            _ = try await support.send(
                "POST", ServiceClient.path(account, "grants"), json: ["id": "g7", "entitlement": "pro"])
            let anybody = ServiceClient(service: service)
            let notification = try signed.notification(UUID().uuidString, transaction: try signed.transaction(400))
            _ = try await anybody.send(
                "POST", "\(Self.app)/notifications/appstore", json: ["signedPayload": .string(notification)])

            func found(_ id: String) async throws -> JSONObject {
                try await support.send("GET", "\(Self.app)/accounts?id=\(id)").json()
            }
            let shown: JSONValue = [
                "environment": "Production", "account": .string(account.description), "version": 4,
            ]
            for id in ["301", "302", "g7", account.description, account.description.uppercased()] {
                let answer = try await found(id)
                #expect(answer["accounts"]?.arrayValue?.count == 1, "\(id)")
                #expect(answer["accounts"]?.arrayValue?.first?.objectValue?["account"] == shown.objectValue?["account"])
            }
            let purchase = try await found("302")["purchases"]?.arrayValue?.first?.objectValue
            #expect(purchase?["originalTransactionId"] == "301" && purchase?["isLocked"] == false)
            let unclaimed = try await found("400")
            #expect(unclaimed["accounts"] == [])
            #expect(unclaimed["purchases"]?.arrayValue?.first?.objectValue?["accounts"] == [])
            #expect(try await found("nothing")["purchases"] == [])
            #expect(try await support.send("GET", "\(Self.app)/accounts").code() == "invalidParameter")
            #expect(try await device.send("GET", "\(Self.app)/accounts?id=301").code() == "forbiddenScope")
        }
    }

    @Test func appsAreThoseOfTheToken() async throws {
        try await withRunningService { service in
            for (app, names) in [(nil, ["com.example.app"]), ("com.example.app", ["com.example.app"]), ("other", [])] {
                let token = try service.token(.support, app: app)
                let reply = try await ServiceClient(service: service, bearer: token).send("GET", "/v1/apps")
                let apps = try reply.json()["apps"]?.arrayValue ?? []
                #expect(apps.compactMap { $0.objectValue?["bundleId"]?.stringValue } == names)
            }
        }
    }

    @Test func aCatalogIsComparedBeforeItCounts() async throws {
        try await withRunningService { service in
            let admin = try ServiceClient.scope(.admin, of: service)
            let path = "\(Self.app)/catalog"
            let changed = Data(standardCatalog.replacing("100}}", with: "200}}").utf8)
            let tried = try await admin.send("PUT", path + "?dryRun=true", body: changed).json()
            #expect(tried["outcome"] == "wouldBeRecorded" && tried["revision"] == 1)
            #expect(tried["changes"]?.arrayValue?.count == 1)
            #expect(try await admin.send("GET", path).json()["revision"] == 1)
            #expect(try await admin.send("PUT", path + "?dryRun=1", body: changed).code() == "invalidParameter")
            let put = try await admin.send("PUT", path + "?reason=twice%20as%20much", body: changed).json()
            #expect(put["changes"] == tried["changes"])
            let listed = try await admin.send("GET", path + "/revisions").json()["revisions"]?.arrayValue ?? []
            #expect(listed.map { $0.objectValue?["revision"] } == [2, 1])
            #expect(listed.first?.objectValue?["changes"] == tried["changes"])
            #expect(listed.first?.objectValue?["reason"] == "twice as much")
            #expect(listed.last?.objectValue?["changes"] == .null)
            let older = try await admin.send("GET", path + "/revisions?before=2&limit=1").json()
            #expect(older["revisions"]?.arrayValue?.count == 1 && older["next"] == .null)
            #expect(try await acts("", admin).acts.map { $0["act"]?.stringValue } == ["catalog"])
        }
    }
}
