import AppStore
import EventLog
import EventLoop
import Postgres
import Service
import Sync

/// The event log as a command sees it: one loop, one session, gone when the command is done.
struct CommandLog {
    let session: PostgresSession
    let store: EventStore
    private let loop: EventLoop

    /// Runs a body with a session on the database of a location.
    static func with<T: Sendable>(
        _ location: DatabaseLocation, _ body: @escaping @Sendable (CommandLog) async throws -> T
    ) async throws -> T {
        try await location.withDatabase { url in
            let loop = try EventLoop()
            do {
                var options = PostgresSessionOptions()
                options.applicationName = "entitled command"
                let session = try await PostgresSession.connect(to: url, options: options, on: loop)
                let value = try await body(CommandLog(session: session, store: EventStore(session), loop: loop))
                await session.close()
                await loop.shutdown()
                return value
            } catch {
                await loop.shutdown()
                throw error
            }
        }
    }

    /// The core over this session: what the service does with requests, for one command.
    func engine(isDevelopment: Bool, roots: [TrustedRoot] = TrustedRoot.apple) async throws -> SyncEngine {
        let clock = SystemClock()
        let terms = LiveTerms(
            log: try await store.identity(), isDevelopment: isDevelopment, readCatalog: CatalogDesk.read)
        _ = try await terms.refresh(from: store)
        let session = session
        let store = store
        let writer = LaneWriter(
            executor: loop,
            environment: LaneWriter.Environment(
                connect: { session }, terms: terms, clock: clock,
                onCommit: { changes in
                    // A running service is told, so that it need not find out by itself.
                    Task { try? await store.notifyDirtyLanes(changes.map(\.stream.lane)) }
                }))
        return SyncEngine(
            store: store, writers: [writer],
            intake: Intake(verifier: SignedDataVerifier(roots: roots), chains: ChainDirectory(store), clock: clock),
            terms: terms, clock: clock)
    }

    /// The app that a command is about: the only one, or the one named.
    func app(_ bundleId: String?, of engine: SyncEngine) throws -> ServedApp {
        let apps = engine.terms.apps
        if let bundleId {
            guard let app = engine.terms.app(bundleId: bundleId) else {
                throw CommandFailure("\(bundleId) is not served, or has no catalog: see `entitled app list`")
            }
            return app
        }
        guard let app = apps.first, apps.count == 1 else {
            let names = apps.map(\.identity.bundleId).sorted().joined(separator: ", ")
            throw Arguments.UsageError(apps.isEmpty ? "no app is served yet" : "which app? Give --app: \(names)")
        }
        return app
    }
}
