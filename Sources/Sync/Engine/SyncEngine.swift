public import AppStore
public import Entitlements
public import EventLog

/// All that a service does with the log, behind one value: verify, decide, append, answer. Shared by all loops.
public struct SyncEngine: Sendable {
    /// The apps.
    public let terms: LiveTerms
    /// Answers questions.
    public let reader: ViewReader
    /// JWS headers by number and by hash.
    let chains: ChainDirectory
    let store: EventStore
    private let intake: Intake
    private let writers: [LaneWriter]
    private let accounts: KnownAccounts
    let clock: any Clock

    /// An engine. `store` is for reads and rare writes; `writers` divide the lanes evenly among them, in order.
    public init(
        store: EventStore, writers: [LaneWriter], intake: Intake, terms: LiveTerms, clock: any Clock,
        accounts: KnownAccounts = KnownAccounts()
    ) {
        self.store = store
        self.writers = writers
        self.intake = intake
        self.terms = terms
        self.clock = clock
        self.accounts = accounts
        reader = ViewReader(store: store, terms: terms)
        chains = ChainDirectory(store)
    }

    /// What each writer has done, for metrics.
    public var writerStatistics: [LaneWriter.Statistics] {
        get async {
            var all: [LaneWriter.Statistics] = []
            for writer in writers { all.append(await writer.statistics) }
            return all
        }
    }

    private func writer(of stream: StreamID) -> LaneWriter {
        writers[Int(stream.lane) * writers.count / Lane.count]
    }

    func key(_ account: AccountID, _ environment: Environment, _ app: ServedApp) -> StreamKey {
        StreamKey(app: app.number, environment: environment, account: account)
    }

    // MARK: Devices

    /// What a push or restore led to.
    public struct PushAnswer: Sendable {
        /// One a signed transaction, in order.
        public var transactions: [PushResult]
        /// One a signed renewal info, in order.
        public var renewalInfos: [PushResult]
        /// The account's view afterwards, in each environment that was pushed to.
        public var views: [Environment: View]
        /// The environments of what could be believed.
        public var environments: Set<Environment>
    }

    /// Verifies, decides and stores what a device hands over; returns after the commit. Throws `SyncError`.
    public func push(
        transactions: [String], renewalInfos: [String] = [], account: AccountID, app: ServedApp,
        isRestore: Bool = false
    ) async throws -> PushAnswer {
        try await authenticated(account, app: app)
        let push = try await reaching {
            try await intake.prepare(transactions: transactions, renewalInfos: renewalInfos, app: app)
        }
        guard !push.items.isEmpty else {
            return PushAnswer(
                transactions: push.results([]), renewalInfos: push.renewalResults([]), views: [:], environments: [])
        }
        let committed = try await writer(of: key(account, push.items[0].environment, app).id).submit(
            .push(account: account, items: push.items, isRestore: isRestore), app: app.number)
        var views: [Environment: View] = [:]
        for (stream, view) in committed.views { if let environment = stream.environment { views[environment] = view } }
        return PushAnswer(
            transactions: push.results(committed.outcomes), renewalInfos: push.renewalResults(committed.outcomes),
            views: views, environments: Set(push.items.map(\.environment)))
    }

    /// An account has authenticated, or its backend registers it: it is known from now on, and what its tokens name binds
    /// by itself (rules.md R7.2). Cheap for accounts seen before. Throws `SyncError`.
    public func authenticated(_ account: AccountID, app: ServedApp) async throws {
        let key = AccountKey(app: app.number, account)
        guard !accounts.contains(key) else { return }
        let registration = try await reaching { try await store.registerAccount(key, at: clock.now()) }
        if !registration.hinted.isEmpty {
            _ = try await run(.accountKnown(account, hinted: registration.hinted), app: app)
        }
        accounts.insert(key)
    }

    // MARK: The App Store

    /// What a notification led to.
    public enum NotificationAnswer: Sendable {
        /// Verified and decided.
        case decided(Outcome)
        /// Not Apple's, not this app's, or damaged.
        case refused(Refusal)
    }

    /// Verifies, decides and stores a notification; returns after the commit. Throws `SyncError`.
    public func notify(signedPayload: String, app: ServedApp) async throws -> NotificationAnswer {
        switch try await reaching({ try await intake.prepare(signedPayload: signedPayload, app: app) }) {
        case .refused(let refusal): return .refused(refusal)
        case .rejected(let reason): return .decided(.rejected(reason))
        case .admitted(let admitted):
            return .decided(try await run(.notification(admitted), app: app)[0])
        }
    }

    // MARK: Commands

    /// Decides and stores any other command. Throws `SyncError`.
    public func run(_ command: Command, app: ServedApp) async throws -> [Outcome] {
        try await submit(command, app: app).outcomes
    }

    /// The same, with the views of the account it is about.
    public func submit(_ command: Command, app: ServedApp) async throws -> LaneWriter.Committed {
        let home = try await home(of: command, app: app)
        return try await writer(of: home).submit(command, app: app.number)
    }

    /// Erases an account in every environment: its view, its payloads and the link to it; what it owned stays locked
    /// (rules.md R7). May be repeated. Throws `SyncError`.
    public func erase(_ account: AccountID, app: ServedApp) async throws -> Outcome {
        var outcome = Outcome.duplicate
        for environment in app.terms.environments {
            let erased = try await run(.erase(account, environment), app: app)[0]
            if erased == .recorded { outcome = .recorded }
            let stream = key(account, environment, app).id
            try await reaching {
                try await store.removePersonalData(of: stream, erasedKind: EventKind.erased.rawValue)
            }
        }
        try await reaching { try await store.forgetAccount(AccountKey(app: app.number, account)) }
        accounts.remove(AccountKey(app: app.number, account))
        return outcome
    }

    /// The stream in whose lane a command mostly writes, so that writers do not meet in lanes. A guess: decisions do not
    /// depend on it.
    private func home(of command: Command, app: ServedApp) async throws -> StreamID {
        switch command {
        case .push(let account, let items, _):
            return key(account, items.first?.environment ?? .production, app).id
        case .accountKnown(let account, _): return key(account, .production, app).id
        case .erase(let account, let environment): return key(account, environment, app).id
        case .grant(let stream, _), .revokeGrant(let stream, _), .spend(let stream, _):
            return StreamKey(app: app.number, stream).id
        case .learned(let item, _): return try await home(of: item.lineage, token: item.token, app: app)
        case .free(let lineage), .transfer(let lineage, _): return try await home(of: lineage, token: nil, app: app)
        case .notification(let admitted):
            guard let lineage = admitted.lineage else { return StreamKey(app: app.number, .app).id }
            return try await home(
                of: lineage, token: admitted.transaction?.transaction.appAccountToken, app: app)
        }
    }

    private func home(of lineage: LineageRef, token: AccountID?, app: ServedApp) async throws -> StreamID {
        // The usual case: the token names an account seen here, and reading the directory would find the same.
        if let token, accounts.contains(AccountKey(app: app.number, token)) {
            return key(token, lineage.environment, app).id
        }
        let record = try await reaching { try await store.lineage(LineageKey(app: app.number, lineage)) }
        if let party = record?.parties.first { return key(party, lineage.environment, app).id }
        return StreamKey(app: app.number, .lineage(lineage.environment, lineage.id)).id
    }

    /// Turns whatever the log throws into "ask again" or "cannot be read".
    func reaching<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as SyncError {
            throw error
        } catch let error as UnreadableEvent {
            throw SyncError(.unreadableLog, error.description)
        } catch let error as StateCodingError {
            throw SyncError(.unreadableLog, error.description)
        } catch let error as EventLogError where error.code == .corruptLog {
            throw SyncError(.unreadableLog, error.description)
        } catch {
            throw SyncError(.databaseUnavailable, "\(error)")
        }
    }
}

extension Command.Item {
    var token: AccountID? {
        if case .transaction(let admitted) = self { admitted.transaction.appAccountToken } else { nil }
    }
}

extension AdmittedNotification {
    var lineage: LineageRef? {
        if let transaction { return LineageRef(transaction.environment, transaction.transaction.originalTransactionId) }
        return renewalInfo.map { LineageRef($0.environment, $0.renewalInfo.originalTransactionId) }
    }
}
