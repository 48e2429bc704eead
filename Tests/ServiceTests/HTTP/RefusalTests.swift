import AppStoreSimulator
import Entitlements
import Foundation
import Postgres
import TestSupport
import Testing

@testable import Service

@Suite struct RefusalTests {
    private static let app = "/v1/apps/com.example.app"

    @Test func tokensDecideWhoMayWhat() async throws {
        try await withRunningService { service in
            let account = newAccount()
            let path = ServiceClient.path(account, "entitlements")
            func code(_ token: String?, _ path: String, _ method: String = "GET") async throws -> String? {
                try await ServiceClient(service: service, bearer: token).send(method, path).code()
            }
            let device = try service.token(.device, account: account)
            let loud = path.replacing(account.description, with: account.description.uppercased())
            #expect(try await code(device, loud) == nil, "accounts compare as UUIDs")
            #expect(try await code(nil, path) == "missingToken")
            #expect(try await code("x.y.z", path) == "invalidToken")
            #expect(try await code(device, ServiceClient.path(newAccount(), "entitlements")) == "forbiddenAccount")
            #expect(try await code(try service.token(.device, account: account, app: "other"), path) == "forbiddenApp")
            #expect(try await code(try service.token(.metrics), path) == "forbiddenScope")
            #expect(try await code(device, "\(Self.app)/grants/g1", "DELETE") == "forbiddenScope")
            #expect(try await code(device, "/metrics") == "forbiddenScope")
            #expect(try await code(try service.token(.metrics, app: nil), "/metrics") == nil)
            #expect(try await code(try service.token(.admin, app: nil), "/metrics") == nil)
            #expect(try await code(try service.token(.admin, app: "other"), "/metrics") == "forbiddenApp")
            #expect(try await code(try service.token(.admin), "/metrics") == "forbiddenApp", "they are about every app")
            let support = try service.token(.support)
            #expect(try await code(support, path) == nil)
            #expect(try await code(support, ServiceClient.path(account, "erase"), "POST") == "forbiddenScope")
            service.clock.advance(by: 3_600_000 + 30_000)
            #expect(try await code(device, path) == "expiredToken")
        }
    }

    @Test func requestsWithoutSenseAreExplained() async throws {
        try await withRunningService(change: { $0.limits.bodyBytes = 65_536 }) { service in
            let account = newAccount()
            let client = try ServiceClient.device(account, of: service)
            let admin = ServiceClient(service: service, bearer: try service.token(.admin, app: nil))
            func path(_ rest: String) -> String { ServiceClient.path(account, rest) }
            func expect(_ code: String, _ status: Int, _ reply: ServiceClient.Reply, _ what: String) throws {
                #expect(try reply.code() == code, "\(what)")
                #expect(reply.status == status, "\(what)")
            }
            try expect("unknownRoute", 404, try await client.send("GET", "/v2"), "path")
            let method = try await client.send("PATCH", path("entitlements"))
            try expect("methodNotAllowed", 405, method, "method")
            #expect(method.header("Allow") == "GET, HEAD")
            for query in [
                "wait=0", "wait=241", "wait=x", "environment=Moon", "environment=Xcode", "wait=1&wait=2",
            ] {
                try expect("invalidParameter", 400, try await client.entitlements(account, "?\(query)"), query)
            }
            try expect("forbiddenScope", 403, try await client.entitlements(account, "?at=5"), "at")
            try expect(
                "invalidParameter", 400, try await admin.send("GET", "\(Self.app)/accounts/nobody/entitlements"),
                "account")
            try expect(
                "unknownApp", 404, try await admin.send("GET", path("entitlements").replacing("example", with: "e")),
                "app")

            let bodies: [(String, String)] = [
                ("", "invalidJSON"), ("{", "invalidJSON"), ("[]", "invalidBody"), ("{}x", "invalidJSON"),
                (String(repeating: "[", count: 9000), "invalidJSON"), (#"{"signedTransactions":"x"}"#, "invalidBody"),
                (#"{"signedTransactions":[1]}"#, "invalidBody"), (#"{"signedTransactions":{}}"#, "invalidBody"),
                (#"{"signedTransactions":["a"],"signedTransactions":[]}"#, "invalidJSON"),
                (
                    #"{"signedTransactions":[\#(Array(repeating: "\"a\"", count: 101).joined(separator: ","))]}"#,
                    "tooManyItems"
                ),
            ]
            for (body, code) in bodies {
                let reply = try await client.send("POST", path("transactions"), body: Data(body.utf8))
                try expect(code, 400, reply, "\(body.prefix(30))")
            }
            let invalid = try await client.send("POST", path("transactions"), body: Data([0x22, 0xFF, 0x22]))
            try expect("invalidJSON", 400, invalid, "not UTF-8")
            let text = try await client.send(
                "POST", path("transactions"), body: Data("{}".utf8), headers: ["Content-Type": "text/plain"])
            try expect("unsupportedMediaType", 415, text, "media type")
            let long = try await client.send(
                "POST", path("balances/coins/spend"), body: Data(repeating: 0x20, count: 17_000))
            try expect("bodyTooLarge", 413, long, "body")
            #expect(try await client.entitlements(account).json()["snapshot"]?.objectValue?["version"] == 0)
        }
    }

    @Test func floodsAreHeldBack() async throws {
        try await withRunningService(change: {
            $0.limits.requestBurst = 3; $0.limits.requestsPerSecond = 1
        }) { service in
            let account = newAccount()
            let client = try ServiceClient.device(account, of: service)
            for _ in 0..<3 { #expect(try await client.entitlements(account).status == 200) }
            let refused = try await client.entitlements(account)
            #expect(try refused.code() == "rateLimited" && refused.header("Retry-After") == "1")
            let other = newAccount()
            #expect(try await ServiceClient.device(other, of: service).entitlements(other).status == 200)
            service.clock.advance(by: 1000)
            #expect(try await client.entitlements(account).status == 200)
        }
    }

    @Test func notificationsThatAreNotOursAreRefused() async throws {
        try await withRunningService { service in
            let anybody = ServiceClient(service: service)
            let data = SignedData(service: service)
            func notify(_ payload: String, app: String = "com.example.app") async throws -> ServiceClient.Reply {
                try await anybody.send(
                    "POST", "/v1/apps/\(app)/notifications/appstore", json: ["signedPayload": .string(payload)])
            }
            let good = try data.notification("n1", transaction: try data.transaction(1))
            let unknown = try await notify(good, app: "com.example.later")
            #expect(unknown.status == 503)
            #expect(try unknown.code() == "appNotConfigured")
            #expect(try await notify("a.b.c").code() == "rejectedSignedData")
            let transaction = try data.transaction(1)
            #expect(try await notify(transaction).code() == "rejectedSignedData")
            let other = try service.authority.sign([
                "notificationType": "TEST", "notificationUUID": "n2", "signedDate": .integer(service.clock.now()),
                "data": ["environment": "Production", "bundleId": "com.example.other", "appAppleId": 1_234_567_890],
            ])
            let otherApp = try await notify(other)
            #expect(otherApp.status == 422)
            #expect(try otherApp.code() == "otherApp")
            let xcode = try service.authority.sign([
                "notificationType": "TEST", "notificationUUID": "n3", "signedDate": .integer(service.clock.now()),
                "data": ["environment": "Xcode", "bundleId": "com.example.app"],
            ])
            #expect(try await notify(xcode).code() == "rejectedSignedData", "whoever signs for Xcode is not believed")
            #expect(
                try await anybody.send("POST", "/v1/apps/com.example.app/notifications/appstore", json: [:]).code()
                    == "invalidBody")

            let first = try await notify(good)
            #expect(first.status == 200)
            #expect(try first.json() == ["outcome": "unclaimed"] || first.json() == ["outcome": "recorded"])
            let second = try await notify(good)
            #expect(try second.json() == ["outcome": "duplicate"])
            let odd = try await notify(try data.notification("n9", type: "SOMETHING_NEW", transaction: nil))
            #expect(odd.status == 200, "what is not known is kept")
        }
    }

    @Test func environmentsThatTheAppDoesNotTakeAreRefused() async throws {
        try await withRunningService(environments: [.production]) { service in
            let account = newAccount()
            let client = try ServiceClient.device(account, of: service)
            let signed = try SignedData(service: service).transaction(1, changing: ["environment": "Sandbox"])
            let pushed = try await client.push([signed], account: account).json()
            let result = pushed["results"]?.arrayValue?.first?.objectValue
            #expect(result?["outcome"] == "rejected" && result?["reason"] == "environment")
            let payload = try service.authority.sign([
                "notificationType": "TEST", "notificationUUID": "n3", "signedDate": .integer(service.clock.now()),
                "data": ["environment": "Sandbox", "bundleId": "com.example.app"],
            ])
            let notified = try await ServiceClient(service: service).send(
                "POST", "\(Self.app)/notifications/appstore", json: ["signedPayload": .string(payload)])
            #expect(notified.status == 422)
            #expect(try notified.code() == "environmentNotServed")
        }
    }

    @Test func oddParametersAreRefused() async throws {
        try await withRunningService { service in
            let account = newAccount()
            let support = try ServiceClient.scope(.support, of: service)
            for query in ["at=%2B5", "at=-5", "at=%205", "at=5&knownAt=%2B5", "at=253402300800000", "at="] {
                #expect(try await support.entitlements(account, "?\(query)").code() == "invalidParameter", "\(query)")
            }
            let jose = ["Accept": "application/jose"]
            #expect(try await support.entitlements(account, "?at=5", headers: jose).code() == "invalidParameter")
            #expect(try await support.entitlements(account, "", headers: jose).status == 200)
            // The log names streams of nobody by UUIDs of version 8: an account of that id would share one.
            let reserved = AccountID(try #require(UUID(uuidString: "410385E3-A2A0-819E-9E56-02C2DFB8CF8B")))
            #expect(try await support.entitlements(reserved).code() == "invalidParameter")
            let backend = try ServiceClient.scope(.backend, of: service)
            #expect(try await backend.send("PUT", "\(Self.app)/accounts/\(reserved)").code() == "invalidParameter")
        }
    }

    @Test func oneLimitForEachNameEverywhere() async throws {
        try await withRunningService { service in
            let account = newAccount()
            let client = try ServiceClient.device(account, of: service)
            func spend(_ currency: Int, _ key: Int) async throws -> String? {
                let currency = String(repeating: "c", count: currency)
                return try await client.send(
                    "POST", ServiceClient.path(account, "balances/\(currency)/spend"),
                    json: ["amount": 1, "idempotencyKey": .string(String(repeating: "k", count: key))]
                ).code()
            }
            #expect(try await spend(CatalogLimits.idBytes, Spend.keyBytes) == "insufficientBalance")
            #expect(try await spend(CatalogLimits.idBytes + 1, 1) == "invalidParameter")
            #expect(try await spend(1, Spend.keyBytes + 1) == "invalidBody")
        }
    }

    /// It said `malformed` and no more.
    @Test func whatIsRejectedSaysWhy() async throws {
        try await withRunningService { service in
            let account = newAccount()
            let client = try ServiceClient.device(account, of: service)
            let odd = try SignedData(service: service).transaction(1, changing: ["expiresDate": 5])
            let result = try await client.push([odd], account: account).json()["results"]?.arrayValue?.first?
                .objectValue
            #expect(result?["outcome"] == "rejected" && result?["reason"] == "malformed")
            #expect(result?["detail"]?.stringValue?.contains("2000 to 2100") == true)
        }
    }

    @Test func withoutTheDatabaseNothingIsAcknowledged() async throws {
        try await withRunningService { service in
            let account = newAccount()
            let client = try ServiceClient.device(account, of: service)
            let name = try #require(service.connectionString.split(separator: "'").last.map(String.init))
            try await withPostgresSession(TestDatabase.admin) { session in
                _ = try await session.execute("ALTER DATABASE \(name) ALLOW_CONNECTIONS false")
                _ = try await session.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(name)'")
            }
            let signed = try SignedData(service: service).transaction(1)
            let refused = try await client.push([signed], account: account)
            #expect(refused.status == 503)
            #expect(try refused.code() == "databaseUnavailable")
            #expect(5...30 ~= Int(refused.header("Retry-After") ?? "") ?? 0)
            #expect(try await client.send("GET", "/readyz").code() == "notReady")
            #expect(try await client.send("GET", "/healthz").status == 200)
            try await withPostgresSession(TestDatabase.admin) { session in
                _ = try await session.execute("ALTER DATABASE \(name) ALLOW_CONNECTIONS true")
            }
            var status = 0
            for _ in 0..<100 where status != 200 {
                status = try await client.push([signed], account: account).status
                if status != 200 { try await Task.sleep(for: .milliseconds(50)) }
            }
            #expect(status == 200)
        }
    }

    @Test func nothingSecretIsLogged() async throws {
        try await withRunningService { service in
            let account = newAccount()
            let client = try ServiceClient.device(account, of: service)
            let signed = try SignedData(service: service).transaction(1)
            _ = try await client.push([signed, "x.y.z"], account: account)
            _ = try await client.entitlements(account)
            _ = try await client.entitlements(account, "?wait=x")
            _ = try await ServiceClient(service: service, bearer: "broken").entitlements(account)
            await service.instance.drain()
            let log = service.log.text
            #expect(log.contains("/v1/apps/{bundleId}/accounts/{account}/entitlements"))
            #expect(log.contains(#""outcomes":{"recorded":1,"rejected":1}"#))
            #expect(log.contains(Log.tag(of: account)))
            let secrets = signed.split(separator: ".") + (client.bearer ?? "").split(separator: ".")
            for secret in secrets.map(String.init) + [account.description, account.description.uppercased()] {
                #expect(!log.contains(secret))
            }
        }
    }
}
