public import Entitlements
public import Signatures
import Synchronization

/// A local App Store that runs: store, signatures, clock, Server API, deliveries. Safe to use from any thread; every call is
/// one step that nothing else comes between.
public final class Simulator: Sendable {
    /// How a simulator runs.
    public struct Options: Sendable {
        /// The app, and the store's spans of time.
        public var settings: StoreSettings
        /// What is sold.
        public var catalog: SaleCatalog
        /// The key for Server API calls; nil makes one.
        public var key: ServerAPIKey?
        /// Where the store's time begins; nil: at the machine's.
        public var start: Milliseconds?
        /// How many times as fast as the machine's the store's time runs; 0: by steps only.
        public var speed = 1.0
        /// Where notifications go; nil: nowhere.
        public var notificationURL: String?
        /// Share of Apple's limits that the Server API grants: 0.1 in Sandbox, 1 in Production unless said otherwise.
        public var rateShare: Double?
        /// Whether the Server API counts calls at all.
        public var limitsRates = true

        /// A simulator of an app that sells a catalog.
        public init(settings: StoreSettings, catalog: SaleCatalog) {
            self.settings = settings
            self.catalog = catalog
        }
    }

    struct State {
        var core: SimulatorState
        var clock: StoreClock
        var limits: RateLimits
        var apiFault: APIFault?
        var recorder: Recorder?
        /// Who waits for everything that is due to be sent.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// Signs everything; its root is what a verifier must trust.
    public let authority: SigningAuthority
    /// For Server API calls.
    public let key: ServerAPIKey
    /// Where notifications go.
    public let notificationURL: String?
    let options: Options
    let tokenCheck: APITokenCheck
    let news: AsyncStream<Void>
    let newsSource: AsyncStream<Void>.Continuation
    let state: Mutex<State>

    /// A simulator that nobody has bought in. Throws `SignatureError` if no key can be made.
    public init(_ options: Options, authority: SigningAuthority) throws(SignatureError) {
        let key: ServerAPIKey
        if let known = options.key { key = known } else { key = try ServerAPIKey() }
        self.options = options
        self.authority = authority
        self.key = key
        notificationURL = options.notificationURL
        tokenCheck = APITokenCheck(key, bundleId: options.settings.bundleId)
        (news, newsSource) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        state = Mutex(Self.fresh(options, authority, start: options.start ?? MachineClock.now(), speed: options.speed))
    }

    private static func fresh(
        _ options: Options, _ authority: SigningAuthority, start: Milliseconds, speed: Double
    ) -> State {
        let isSandbox = options.settings.environment == .sandbox
        let core = SimulatorState(
            store: Store(options.settings, catalog: options.catalog, now: start),
            delivery: Delivery(retries: !isSandbox, seed: options.settings.seed),
            signer: HappeningSigner(authority: authority, settings: options.settings),
            hasNotificationURL: options.notificationURL != nil,
            random: SeededRandom(seed: options.settings.seed ^ 0xA91))
        return State(
            core: core, clock: StoreClock(start, speed: speed, machine: MachineClock.now()),
            limits: RateLimits(share: options.limitsRates ? options.rateShare ?? (isSandbox ? 0.1 : 1) : nil))
    }

    /// One step: time has passed until now, then `body`. Whoever sends notifications is told.
    func step<Value: Sendable>(_ body: (inout State) throws -> Value) throws -> Value {
        let value = try state.withLock { state in
            try Self.pass(&state)
            return try body(&state)
        }
        newsSource.yield()
        return value
    }

    private static func pass(_ state: inout State) throws {
        let now = state.clock.now(machine: MachineClock.now())
        _ = try state.core.publish(state.core.store.advance(to: now))
    }

    /// The store's time.
    public func now() -> Milliseconds {
        state.withLock { $0.clock.now(machine: MachineClock.now()) }
    }

    /// Does something now. Returns what came of it, in order. Throws ``ActRefusal`` or `SignatureError`.
    public func perform(_ act: Act) throws -> [SignedHappening] {
        try step { state in
            let now = state.core.store.now
            let happenings = try state.core.publish(state.core.store.perform(act, at: now))
            try state.recorder?.note(act, at: now)
            return happenings
        }
    }

    /// Lets time pass by a step, with everything on the way.
    public func advance(by span: Milliseconds) throws -> [SignedHappening] {
        try step { state in
            let machine = MachineClock.now()
            state.clock.step(by: span, machine: machine)
            let happenings = state.core.store.advance(to: state.clock.now(machine: machine))
            try state.recorder?.note(state.clock, at: state.core.store.now)
            return try state.core.publish(happenings)
        }
    }

    /// What a customer's device has: every transaction as it is now, and the renewal info of each lineage.
    public func device(of customer: String) throws -> [SignedHappening.Statement] {
        try step { state in
            guard let customer = state.core.store.customers[customer] else {
                throw ActRefusal(.unknown, "there is no customer \(customer)")
            }
            return try customer.purchases.compactMap { state.core.store.purchases[$0] }.map { try state.core.sign($0) }
        }
    }

    /// Forgets everybody. Numbers go on elsewhere, so that what was sold before is not sold again.
    func reset() {
        state.withLock { state in
            var options = options
            options.settings.seed = state.core.store.settings.seed &+ 1000
            let now = state.clock.now(machine: MachineClock.now())
            let old = state
            state = Self.fresh(options, authority, start: now, speed: old.clock.speed)
            state.recorder = old.recorder
            state.waiting = old.waiting
        }
    }

    /// Looks at the clock: what is due happens.
    func tick() throws { try step { _ in } }
}
