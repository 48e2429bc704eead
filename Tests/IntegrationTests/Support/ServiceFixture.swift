import AppStore
import AppStoreSimulator
import Entitlements
import EventLog
import Foundation
import Postgres
import Service
import Sync
import Synchronization
import TestSupport

/// A database with all migrations, for copying.
private let migrated = TestTemplate(name: "integration") { session in try await Migrator(session).migrate() }

/// Signs what the tests send; making keys takes time, so all tests share it. Without it none can say anything.
let authority: SigningAuthority = {
    do { return try SigningAuthority() } catch { preconditionFailure("no signing authority: \(error)") }
}()

/// A clock that the test moves.
final class ManualClock: Sync.Clock {
    private let instant: Mutex<Milliseconds>
    init(_ instant: Milliseconds) { self.instant = Mutex(instant) }
    func now() -> Milliseconds { instant.withLock { $0 } }
    func set(_ instant: Milliseconds) { self.instant.withLock { $0 = instant } }
}

/// A service in this process, on a database and a port of its own.
struct ServiceFixture: Sendable {
    let client: HTTPClient
    let clock: any Sync.Clock
    let service: ServiceInstance
    let bundleId: String
    private let issuer: TokenIssuer

    init(
        client: HTTPClient, clock: any Sync.Clock, service: ServiceInstance, bundleId: String, issuer: TokenIssuer
    ) {
        self.client = client
        self.clock = clock
        self.service = service
        self.bundleId = bundleId
        self.issuer = issuer
    }

    /// Path of the app.
    var base: String { "/v1/apps/\(bundleId)" }

    /// A token that never ends in a test: the clock may stand anywhere.
    func token(_ scope: Scope, _ subject: String = "test") throws -> String {
        try issuer.issue(
            AccessToken(subject: subject, app: bundleId, scope: scope, expires: 4_000_000_000_000),
            at: clock.now())
    }

    func deviceToken(_ account: AccountID) throws -> String { try token(.device, account.description) }
}

/// Runs a test against a service with one app.
func withService<Value: Sendable>(
    catalog: Catalog, clock: any Sync.Clock, loops: Int = 1,
    _ body: (ServiceFixture) async throws -> Value
) async throws -> Value {
    try await withTestDatabase(template: try await migrated.ready()) { database in
        try await withPostgresSession(database) { session in
            let store = EventStore(session)
            let app = try await store.addApp(
                bundleId: catalog.bundleId, appAppleId: catalog.appAppleId, environments: [.production, .sandbox],
                at: 0)
            _ = try await store.appendCatalogRevision(
                app: app, previous: 0, actor: "test", reason: "test", document: JSONValue.object(catalog.json).text,
                at: 0)
        }
        let keys = try ServiceKeys.generate(at: 0)
        var settings = ServiceSettings(databaseURL: database.connectionString, keysFile: "")
        settings.listen = ListenSetting(address: "127.0.0.1", port: 0)
        settings.loops = loops
        settings.drainSeconds = 0
        settings.limits.requestsPerSecond = 100_000
        settings.limits.requestBurst = 100_000
        let service = try await ServiceInstance.start(
            settings, keys: keys,
            options: ServiceInstance.Options(
                roots: TrustedRoot.apple + [TrustedRoot(authority.root, for: [.production, .sandbox, .xcode])],
                clock: clock), log: Log(level: .error, sink: { _ in }) { 0 })
        let fixture = ServiceFixture(
            client: HTTPClient(port: service.port), clock: clock, service: service, bundleId: catalog.bundleId,
            issuer: try TokenIssuer(keys))
        do {
            let value = try await body(fixture)
            await service.drain()
            return value
        } catch {
            await service.drain()
            throw error
        }
    }
}

/// Signs a decoded notification: first the decoded objects inside, then the envelope.
func signedNotification(_ payload: JSONObject) throws -> String {
    var payload = payload
    if var data = payload["data"]?.objectValue {
        for (decoded, signed) in [("transaction", "signedTransactionInfo"), ("renewalInfo", "signedRenewalInfo")] {
            guard let object = data[decoded]?.objectValue else { continue }
            data[decoded] = nil
            data[signed] = .string(try authority.sign(object))
        }
        payload["data"] = .object(data)
    }
    return try authority.sign(payload)
}
