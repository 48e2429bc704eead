import AppStoreSimulator
import EntitledClient
import Entitlements
import Foundation
import Testing

/// PostgreSQL is killed and comes back while the service lives.
@Suite struct DatabaseOutageTests {
    private static let account = Purchases.account(2)

    @Test func refusesMeanwhileAndRecoversByItself() async throws {
        let dev = try DevProcess()
        defer { dev.end() }
        try dev.start()
        let token = try await dev.deviceToken(Self.account)
        let device = try await Device(
            of: Self.account, port: dev.port, token: token, keysAt: dev.client, pushWait: 10_000)
        defer { device.remove() }
        let running = try await device.launch()
        let path = "/v1/apps/\(DevProcess.sampleApp)/accounts/\(Self.account)"
        let client = dev.client
        func push(_ id: String) async throws -> HTTPClient.Answer {
            let coins = try authority.sign(Purchases.coins(id, account: Self.account, at: device.clock.wall))
            return try await client.send(
                "POST", "\(path)/transactions?environment=Sandbox", token: token,
                body: ["signedTransactions": [.string(coins)]])
        }
        let acknowledged = try await push("7201")
        #expect(acknowledged.status == 200)
        let cursor = try #require(acknowledged.json["cursor"]?.stringValue)
        try await eventually("the client is told") { running.views.last?.snapshot?.balances["coins"] == 100 }
        let answers = Notes<HTTPClient.Answer>()
        let held = Task {
            answers.add(
                try await client.send(
                    "GET", "\(path)/entitlements?environment=Sandbox&cursor=\(cursor)&wait=200", token: token))
        }
        try await eventually("both polls are held") { running.status == .live }

        let catalogPath = "/v1/apps/\(DevProcess.sampleApp)/catalog"
        func catalog() async throws -> JSONObject {
            try await client.send("GET", catalogPath, token: dev.token("admin")).json
        }
        let catalogBefore = try await catalog()
        let original = try #require(catalogBefore["catalog"]?.objectValue)
        var changed = original
        changed["products"] = [:]

        try dev.killDatabase()
        try await eventually("the loss is noticed") {
            try await client.send("GET", "/readyz").status == 503
        }
        let refused = try await push("7202")
        #expect(refused.status == 503 && refused.json["code"] == "databaseUnavailable", "\(refused.json)")
        #expect(refused.headers["retry-after"].flatMap { Int($0) } ?? 0 > 0)
        for (method, path, scope) in [
            ("GET", "\(path)/entitlements?environment=Sandbox", "admin"),
            ("GET", "/v1/apps/\(DevProcess.sampleApp)/unclaimed?environment=Sandbox", "admin"),
            ("PUT", "/v1/apps/\(DevProcess.sampleApp)/accounts/\(Purchases.account(3))", "backend"),
        ] {
            let answer = try await client.send(method, path, token: dev.token(scope))
            #expect(answer.status == 503 && answer.headers["retry-after"] != nil, "\(method) \(path): \(answer.json)")
        }
        let put = try await client.send("PUT", catalogPath, token: dev.token("admin"), body: changed)
        #expect(put.status == 503 && put.json["code"] == "databaseUnavailable", "\(put.json)")
        #expect(put.headers["retry-after"] != nil)
        #expect(try await catalog() == catalogBefore, "a catalog that was not stored is not in force")
        #expect(try await client.send("GET", "/healthz").status == 200)
        let waiting = try authority.sign(Purchases.coins("7203", account: Self.account, at: device.clock.wall))
        let queued = try await running.client.push(signedTransactions: [waiting])
        #expect(queued.map(\.outcome) == [.queued], "\(queued)")
        #expect(answers.all.isEmpty, "the held poll stays held")

        try dev.startDatabase()
        try await eventually("it recovers by itself") { try await client.send("GET", "/readyz").status == 200 }
        let again = try await client.send("PUT", catalogPath, token: dev.token("admin"), body: original)
        #expect(again.json["outcome"] == "duplicate", "the log's last catalog is the one before: \(again.json)")
        try await eventually("what was refused is taken") { try await push("7202").status == 200 }
        try await eventually("the outbox empties itself") { await running.unfinished.isEmpty }
        try await eventually("the client has it all") { running.views.last?.snapshot?.balances["coins"] == 300 }
        _ = try await held.value
        let answer = try #require(answers.all.first)
        #expect(answer.status == 200, "the poll that was held all the time is answered with what came after")
        #expect(
            try await dev.loggedTransactions(of: [Self.account]) == ["7201": 1, "7202": 1, "7203": 1],
            "what was acknowledged is there, and nothing twice")
        await running.client.stop()
    }
}
