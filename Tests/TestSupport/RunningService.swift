import AppStore
public import AppStoreSimulator
public import Entitlements
import EventLog
import Postgres
public import Service
public import Sync
import Synchronization

/// A clock that a test sets.
public final class SettableClock: Sync.Clock {
    private let time: Mutex<Milliseconds>

    /// A clock that stands at an instant.
    public init(_ now: Milliseconds) { time = Mutex(now) }

    /// Where it stands.
    public func now() -> Milliseconds { time.withLock { $0 } }

    /// Moves it.
    public func advance(by span: Milliseconds) { time.withLock { $0 += span } }
}

/// A whole service on a database of its own: loops, HTTP server, real PostgreSQL, real signatures of a test authority.
public struct RunningService: Sendable {
    /// The service.
    public let instance: ServiceInstance
    /// Where it is: `http://127.0.0.1:PORT`.
    public let url: String
    /// Its keys.
    public let keys: ServiceKeys
    /// Its time.
    public let clock: SettableClock
    /// Signs what the service believes to be Apple's.
    public let authority: SigningAuthority
    /// What the service has logged.
    public let log: CollectedLog
    /// For sessions of the test.
    public var connectionString: String { settings.databaseURL }
    private let settings: ServiceSettings
    private let isDevelopment: Bool

    /// The catalog's app.
    public static let bundleId = "com.example.app"
    /// When the clock stands at the start: 1 July 2026.
    public static let start: Milliseconds = 1_782_900_000_000

    fileprivate static func start(
        _ settings: ServiceSettings, keys: ServiceKeys, authority: SigningAuthority, clock: SettableClock,
        isDevelopment: Bool
    ) async throws -> RunningService {
        let log = CollectedLog()
        let instance = try await ServiceInstance.start(
            settings, keys: keys,
            options: ServiceInstance.Options(
                roots: [TrustedRoot(authority.root, for: [.production, .sandbox])], isDevelopment: isDevelopment,
                clock: clock),
            log: Log(level: .debug, sink: log.sink, now: clock.now))
        return RunningService(
            instance: instance, url: "http://127.0.0.1:\(instance.port)", keys: keys, clock: clock,
            authority: authority, log: log, settings: settings, isDevelopment: isDevelopment)
    }

    /// Runs a body with another instance on the same database, with the same keys and clock.
    public func withAnotherInstance<T: Sendable>(_ body: (RunningService) async throws -> T) async throws -> T {
        let other = try await Self.start(
            settings, keys: keys, authority: authority, clock: clock, isDevelopment: isDevelopment)
        do {
            let value = try await body(other)
            await other.instance.drain()
            return value
        } catch {
            await other.instance.drain()
            throw error
        }
    }

    /// A bearer token. Throws what the issuer throws.
    public func token(
        _ scope: Scope, account: AccountID? = nil, app: String? = RunningService.bundleId,
        for span: Milliseconds = 3_600_000
    ) throws -> String {
        let token = try AccessToken(
            subject: account?.description ?? "test", app: app, scope: scope, expires: clock.now() + span)
        return try TokenIssuer(keys).issue(token, at: clock.now())
    }
}

/// What a log wrote.
public final class CollectedLog: Sendable {
    private let bytes = Mutex<[UInt8]>([])

    /// Where a log writes to.
    public var sink: Log.Sink {
        { line in self.bytes.withLock { $0 += line } }
    }

    /// Everything so far.
    public var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }
}

private let migrated = TestTemplate(name: "service") { session in _ = try await Migrator(session).migrate() }

private let testAuthority = Result { try SigningAuthority() }

/// Runs a test against a service of its own. `catalog` is applied before it starts, nil for none.
public func withRunningService<T: Sendable>(
    catalog: String? = standardCatalog, environments: [Entitlements.Environment] = Environment.known,
    isDevelopment: Bool = false,
    change: (inout ServiceSettings) -> Void = { _ in }, _ body: (RunningService) async throws -> T
) async throws -> T {
    try await withTestDatabase(template: try await migrated.ready()) { database in
        let clock = SettableClock(RunningService.start)
        if let catalog {
            try await withPostgresSession(database) { session in
                let store = EventStore(session)
                let terms = LiveTerms(
                    log: try await store.identity(), isDevelopment: isDevelopment, readCatalog: CatalogDesk.read)
                _ = try await CatalogDesk(terms: terms, store: store, clock: clock).apply(
                    CatalogDesk.read(catalog), environments: environments, actor: "test", reason: "")
            }
        }
        var settings = ServiceSettings(databaseURL: database.connectionString, keysFile: "")
        settings.listen = ListenSetting(address: "127.0.0.1", port: 0)
        settings.drainSeconds = 0
        settings.loops = 2
        change(&settings)
        let service = try await RunningService.start(
            settings, keys: ServiceKeys.generate(at: clock.now()), authority: testAuthority.get(), clock: clock,
            isDevelopment: isDevelopment)
        do {
            let value = try await body(service)
            await service.instance.drain()
            return value
        } catch {
            await service.instance.drain()
            throw error
        }
    }
}

/// The products of most tests.
public let standardCatalog = """
    {"bundleId":"com.example.app","appAppleId":1234567890,"products":{
      "pro.m":{"type":"Auto-Renewable Subscription","subscriptionGroup":"main","level":1,"entitlements":["pro"]},
      "life":{"type":"Non-Consumable","entitlements":["export"]},
      "coins100":{"type":"Consumable","credits":{"currency":"coins","amount":100}}},"policies":{}}
    """
