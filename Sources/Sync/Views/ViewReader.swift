import AppStore
public import Entitlements
public import EventLog

/// Answers questions about accounts from what is stored.
public struct ViewReader: Sendable {
    private let store: EventStore
    private let terms: LiveTerms

    /// A reader.
    public init(store: EventStore, terms: LiveTerms) {
        self.store = store
        self.terms = terms
    }

    /// The state of a stream now.
    public func state(of key: StreamKey) async throws -> AccountState {
        let loaded = try await store.load(streams: [key.id], generation: terms.log.generation)
        return try await StateReader(store: store).state(
            of: key.id, account: key.account, stored: loaded.streams[key.id])
    }

    /// The state with only what was stored up to an instant (rules.md, `knownAt`).
    public func state(of key: StreamKey, knownAt instant: Milliseconds) async throws -> AccountState {
        try await StateReader(store: store).fold(key.id, account: key.account, recordedUpTo: instant)
    }

    /// The view of an account now, showing no earlier time than `seen`.
    public func view(
        of key: StreamKey, app: ServedApp, now: Milliseconds, seen: ViewOrder? = nil
    ) async throws -> View {
        View(state: try await state(of: key), key: key, app: app, log: terms.log, now: now, seen: seen)
    }

    /// The snapshot at another time, and with only what was known then if `knownAt` is given.
    public func snapshot(
        of key: StreamKey, app: ServedApp, at instant: Milliseconds, knownAt: Milliseconds?
    ) async throws -> Snapshot {
        var catalogs = app.terms.catalogs
        let state: AccountState
        if let knownAt {
            state = try await self.state(of: key, knownAt: knownAt)
            catalogs = catalogs.known(at: knownAt)
        } else {
            state = try await self.state(of: key)
        }
        return state.snapshot(
            bundleId: app.identity.bundleId, environment: key.environment, at: instant, catalogs: catalogs)
    }

    /// A stream as it was stored, with only what was stored up to an instant if one is given.
    public func story(of key: StreamKey, knownAt instant: Milliseconds? = nil) async throws -> StreamStory {
        try await StateReader(store: store).story(key.id, account: key.account, recordedUpTo: instant)
    }

    /// How many events a stream has.
    public func version(of key: StreamKey) async throws -> Int64 {
        try await store.versions(of: [key.id])[key.id] ?? 0
    }
}
