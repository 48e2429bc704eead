import EntitledClient
import Entitlements
import EventLog
import Foundation
import Postgres
import TestSupport
import Testing

extension DevProcess {
    /// The app that it serves from its first start.
    static let sampleApp = "com.example.app"

    /// Adds an app, or changes its catalog.
    func apply(_ catalog: Catalog) async throws {
        let answer = try await client.send(
            "PUT", "/v1/apps/\(catalog.bundleId)/catalog", token: token("admin"), body: catalog.json)
        try #require(answer.status == 200, "the catalog is refused: \(answer.json)")
    }

    /// A token as an app's backend gives it to a device.
    func deviceToken(_ account: AccountID, app: String = DevProcess.sampleApp) async throws -> String {
        let answer = try await client.send(
            "POST", "/v1/apps/\(app)/accounts/\(account)/tokens?ttl=86400", token: token("admin"))
        return try #require(answer.json["token"]?.stringValue, "no token: \(answer.status)")
    }

    /// What the App Store sends.
    func notify(_ signedPayload: String, app: String = DevProcess.sampleApp) async throws -> HTTPClient.Answer {
        try await client.send(
            "POST", "/v1/apps/\(app)/notifications/appstore", body: ["signedPayload": .string(signedPayload)])
    }

    /// The account's snapshot, now or at another time, as an operator sees it.
    func snapshot(
        of account: AccountID, app: String = DevProcess.sampleApp, at: Milliseconds? = nil
    ) async throws -> Snapshot {
        let time = at.map { "&at=\($0)" } ?? ""
        let answer = try await client.send(
            "GET", "/v1/apps/\(app)/accounts/\(account)/entitlements?environment=Sandbox\(time)", token: token("admin"))
        let json = try #require(answer.json["snapshot"]?.objectValue, "no snapshot: \(answer.status) \(answer.json)")
        return try #require(Snapshot(json: json))
    }

    /// How often the log holds each transaction of these accounts.
    func loggedTransactions(of accounts: [AccountID]) async throws -> [String: Int] {
        let database = try #require(ready["database"]?.stringValue)
        let session = try await PostgresSession.connect(to: database, on: testReactor)
        let store = EventStore(session)
        let app = try #require(try await store.apps().first { $0.bundleId == Self.sampleApp })
        var found: [String: Int] = [:]
        for account in accounts {
            let key = StreamKey(app: app.app, environment: .sandbox, account: account)
            for row in try await store.events(of: key.id, limit: 10_000) {
                found[row.content.transactionId, default: 0] += 1
            }
        }
        await session.close()
        return found
    }
}
