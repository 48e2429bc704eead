import AppStore
import AppStoreSimulator
import Entitlements
import EventLog
import Foundation
import Postgres
import Sync
import Synchronization
import TestSupport
import Testing

/// A database with all migrations, for copying.
private let migrated = TestTemplate(name: "sync") { session in try await Migrator(session).migrate() }

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

/// An engine on a database of its own, with one app.
struct EngineFixture {
    let engine: SyncEngine
    let store: EventStore
    let clock: ManualClock
    let app: ServedApp
    /// The writers behind the engine.
    let writers: [LaneWriter]
    /// Streams appended to, as the writers told.
    let changes: Changes
    fileprivate let make: @Sendable (_ memory: Int, _ meanwhile: Meanwhile?) -> SyncEngine

    typealias Meanwhile = @Sendable () async throws -> Void

    /// Another instance on the same log, with writers that keep so many bytes. `beforeAppend` runs once, between the decision and
    /// the commit of its first append.
    func instance(memory: Int = 1 << 24, beforeAppend meanwhile: Meanwhile? = nil) -> SyncEngine {
        make(memory, meanwhile)
    }

    final class Changes: Sendable {
        private let all = Mutex<[LaneWriter.Change]>([])
        func add(_ changes: [LaneWriter.Change]) { all.withLock { $0 += changes } }
        var count: Int { all.withLock { $0.count } }
    }
}

/// Runs a test with an engine of several writers.
func withEngine<Value: Sendable>(
    catalog: Catalog, writers: Int = 2, clock: ManualClock = ManualClock(1_800_000_000_000), memory: Int = 1 << 24,
    _ body: (EngineFixture, TestDatabase) async throws -> Value
) async throws -> Value {
    try await withTestDatabase(template: try await migrated.ready()) { database in
        let session = try await PostgresSession.connect(to: database.connectionString, on: testReactor)
        let store = EventStore(session)
        let number = try await store.addApp(
            bundleId: catalog.bundleId, appAppleId: catalog.appAppleId, environments: [.production, .sandbox],
            at: clock.now())
        _ = try await store.appendCatalogRevision(
            app: number, previous: 0, actor: "test", reason: "test", document: "{}", at: 0)
        let terms = LiveTerms(log: try await store.identity(), isDevelopment: false) { _ in catalog }
        _ = try await terms.refresh(from: store)
        let app = try #require(terms.app(bundleId: catalog.bundleId))
        let changes = EngineFixture.Changes()
        @Sendable func lanes(_ memory: Int, _ meanwhile: EngineFixture.Meanwhile? = nil) -> [LaneWriter] {
            let environment = LaneWriter.Environment(
                connect: {
                    let session = try await PostgresSession.connect(to: database.connectionString, on: testReactor)
                    guard let meanwhile else { return session }
                    return InterposedConnection(session, beforeAppend: meanwhile)
                },
                terms: terms, clock: clock, memory: memory, onCommit: { changes.add($0) })
            return (0..<writers).map { _ in LaneWriter(executor: testReactor, environment: environment) }
        }
        @Sendable func engine(_ lanes: [LaneWriter]) -> SyncEngine {
            let intake = Intake(
                verifier: SignedDataVerifier(
                    roots: TrustedRoot.apple + [TrustedRoot(authority.root, for: [.production, .sandbox])]),
                chains: ChainDirectory(store), clock: clock)
            return SyncEngine(store: store, writers: lanes, intake: intake, terms: terms, clock: clock)
        }
        let own = lanes(memory)
        let value = try await body(
            EngineFixture(
                engine: engine(own), store: store, clock: clock, app: app, writers: own, changes: changes,
                make: { engine(lanes($0, $1)) }), database)
        await session.close()
        return value
    }
}
