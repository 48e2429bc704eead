import AppStore
import Entitlements
import EventLog
import EventLoop
import Postgres
import Signatures
import Sync
import Synchronization

/// What a service is made of, and how the parts know each other.
struct ServiceParts: Sendable {
    let loops: EventLoopGroup
    let writing: EventLoopGroup
    let backend: Backend
    let gateway: Gateway
    let follower: Follower
    let connections: [LoopConnection]
    let gauges: LiveGauges
    let log: Log

    /// How long the first connect may take: a database that starts at the same time is waited for.
    private static let patience = Duration.seconds(20)

    static func make(
        _ settings: ServiceSettings, keys: ServiceKeys, options: ServiceInstance.Options, log: Log,
        loops: EventLoopGroup, writing: EventLoopGroup
    ) async throws -> ServiceParts {
        let database = DatabaseConnections(settings.databaseURL, loops: loops, writing: writing)
        let store = EventStore(SpreadConnection(connections: database.readers))
        let identity = try await firstIdentity(store, database, log)
        let terms = LiveTerms(log: identity, isDevelopment: options.isDevelopment, readCatalog: CatalogDesk.read)
        _ = try await terms.refresh(from: store)

        let clock = options.clock
        let metrics = Metrics()
        let news = News()
        let engine = SyncEngine(
            store: store,
            writers: database.writers.map { writer in
                var environment = LaneWriter.Environment(
                    connect: { try await writer.opened() }, terms: terms, clock: clock,
                    onCommit: { news.committed($0) })
                environment.onAppend = { metrics.appended($0, in: $1) }
                return LaneWriter(executor: writer.loop, environment: environment)
            },
            intake: Intake(
                verifier: SignedDataVerifier(roots: options.roots, takesDevelopmentData: options.isDevelopment),
                chains: ChainDirectory(store), clock: clock),
            terms: terms, clock: clock)

        let desk = AnswerDesk(log: log, metrics: metrics)
        let presenter = try ViewPresenter(cursors: keys.cursorCodec(), signer: SnapshotSigner(keys.signer()))
        let room = HoldRoom(limit: settings.limits.holds)
        let drivers = loops.loops.map { loop in
            HoldDriver(
                loop: loop, room: room,
                environment: HoldDriver.Environment(
                    engine: engine, store: store, presenter: presenter, desk: desk, metrics: metrics, log: log,
                    clock: clock))
        }
        let catalogs = CatalogDesk(terms: terms, store: store, clock: clock) { news.activated($0) }
        let tail = TailFollower(
            executor: loops.loops[0],
            environment: TailFollower.Environment(
                connect: { database.tail }, onMoved: { news.moved($0) }))
        let follower = Follower(
            tail: tail,
            announcing: store, listening: database.listener, catalogs: catalogs, drivers: drivers, log: log)
        news.begin(drivers: drivers, follower: follower)

        let admission = Admission(limit: settings.limits.requestsInFlight)
        let backend = Backend(
            engine: engine, store: store, keys: keys, presenter: presenter, drivers: drivers, catalogs: catalogs,
            metrics: metrics, clock: clock, limits: settings.limits, state: RunningState())
        let gauges = LiveGauges(
            drivers: drivers, admission: admission, engine: engine, tail: tail, holdsLimit: settings.limits.holds)
        let gateway = Gateway(
            routes: try allRoutes(backend, gauges),
            gatekeeper: Gatekeeper(
                tokens: TokenCache(TokenVerifier(keys)),
                rates: RateLimiter(
                    perSecond: settings.limits.requestsPerSecond, burst: settings.limits.requestBurst)),
            admission: admission, clock: clock, desk: desk)
        return ServiceParts(
            loops: loops, writing: writing, backend: backend, gateway: gateway, follower: follower,
            connections: database.all, gauges: gauges, log: log)
    }

    /// The routes, the busy ones first.
    private static func allRoutes(_ backend: Backend, _ gauges: LiveGauges) throws -> [Route] {
        ViewRoutes(backend: backend).routes + PushRoutes(backend: backend).routes
            + NotificationRoute(backend: backend).routes
            + AccountRoutes(backend: backend, issuer: try TokenIssuer(backend.keys)).routes
            + HealthRoutes(backend: backend, gauges: gauges).routes
            + UpdatesRoute(backend: backend).routes + OperatorRoutes(backend: backend).routes
            + QuestionRoutes(backend: backend).routes + CatalogRoutes(backend: backend).routes
            + SearchRoutes(backend: backend).routes + PageRoutes().routes
    }

    /// Waits for the database, checks that its schema is this release's, and reads what the order of views rests on.
    private static func firstIdentity(
        _ store: EventStore, _ database: DatabaseConnections, _ log: Log
    ) async throws -> LogIdentity {
        let end = ContinuousClock.now + patience
        while true {
            do {
                let session = try await database.listener.opened()
                let pending = try await Migrator(session).status().filter {
                    $0.state == .pending || $0.state == .changed
                }
                guard pending.isEmpty else {
                    throw ServiceError(
                        .schema,
                        "the database lacks \(pending.count) migrations of this release: run `entitled migrate`")
                }
                return try await store.identity()
            } catch let error as PostgresError where error.isRetryable && ContinuousClock.now < end {
                log.write(.warning, "waitingForDatabase") { $0.member("reason", error.message) }
                try await Task.sleep(for: .milliseconds(500))
            }
        }
    }
}

/// The database sessions of a service: one to read on each loop, one for each writer, one behind the log, one for hints.
private struct DatabaseConnections: Sendable {
    let readers: [LoopConnection]
    let writers: [LoopConnection]
    let tail: LoopConnection
    let listener: LoopConnection

    var all: [LoopConnection] { readers + writers + [tail, listener] }

    init(_ connectionString: String, loops: EventLoopGroup, writing: EventLoopGroup) {
        func connection(_ name: String, _ loop: EventLoop, repeatsLost: Bool) -> LoopConnection {
            var options = PostgresSessionOptions()
            options.applicationName = "entitled \(name)"
            options.connectTimeout = .seconds(3)
            return LoopConnection(to: connectionString, options: options, repeatsLost: repeatsLost, on: loop)
        }
        readers = loops.loops.map { connection("read", $0, repeatsLost: true) }
        writers = writing.loops.map { connection("write", $0, repeatsLost: false) }
        tail = connection("tail", loops.loops[0], repeatsLost: true)
        listener = connection("listen", loops.loops[0], repeatsLost: false)
    }
}

/// Carries news to the holds of every loop. Knows them only after they were made: they need what tells the news.
private final class News: Sendable {
    private let receivers = Mutex<(drivers: [HoldDriver], follower: Follower?)>(([], nil))

    func begin(drivers: [HoldDriver], follower: Follower) {
        receivers.withLock { $0 = (drivers, follower) }
    }

    func committed(_ changes: [LaneWriter.Change]) {
        tell { $0.committed(changes) }
        let lanes = changes.map(\.stream.lane)
        receivers.withLock { $0.follower }?.markDirty(lanes)
    }

    func moved(_ versions: [StreamID: Int64]) {
        tell { $0.moved(versions) }
    }

    func activated(_ change: LiveTerms.Change) {
        tell { $0.activated(change) }
    }

    private func tell(_ body: @escaping @Sendable (isolated HoldDriver) -> Void) {
        for driver in receivers.withLock({ $0.drivers }) {
            driver.loop.execute { driver.assumeIsolated { body($0) } }
        }
    }
}

extension ServiceKeys {
    /// Writes with the newest cursor key and reads with both.
    fileprivate func cursorCodec() throws(ServiceError) -> CursorCodec {
        let keys = cursor.map { CursorCodec.Key(number: $0.id, secret: $0.secret) }
        guard let current = keys.first else { throw ServiceError(.keys, "there is no cursor key") }
        return CursorCodec(current: current, previous: keys.dropFirst().first)
    }

    /// The key that signs snapshots.
    fileprivate func signer() throws(ServiceError) -> SigningKey {
        guard let current else { throw ServiceError(.keys, "no signing key is active") }
        return current
    }
}
