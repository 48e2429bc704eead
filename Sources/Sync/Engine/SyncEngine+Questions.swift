public import Entitlements
import EventLog

extension SyncEngine {
    /// An account's view now, showing no earlier time than `seen`. Throws `SyncError`.
    public func view(
        of account: AccountID, environment: Environment, app: ServedApp, seen: ViewOrder? = nil
    ) async throws -> View {
        try await reaching {
            try await reader.view(
                of: key(account, environment, app), app: app, now: clock.now(), seen: seen)
        }
    }

    /// An account's snapshot at another time (rules.md, `knownAt`). Throws `SyncError`.
    public func snapshot(
        of account: AccountID, environment: Environment, app: ServedApp, at: Milliseconds, knownAt: Milliseconds?
    ) async throws -> Snapshot {
        try await reaching {
            try await reader.snapshot(of: key(account, environment, app), app: app, at: at, knownAt: knownAt)
        }
    }

    /// Lineages that nobody owns (rules.md R7.5), by id; after an id to read on. Throws `SyncError`.
    public func unclaimed(
        environment: Environment, app: ServedApp, after id: String = "", limit: Int32
    ) async throws -> [String] {
        try await reaching {
            try await store.unclaimed(app: app.number, environment: environment, after: id, limit: limit).map(\.id)
        }
    }

    /// How many events an account has. Throws `SyncError`.
    public func version(of account: AccountID, environment: Environment, app: ServedApp) async throws -> Int64 {
        try await reaching { try await reader.version(of: key(account, environment, app)) }
    }

    /// What happened to an account, named (rules.md, history). Throws `SyncError`.
    public func history(of account: AccountID, environment: Environment, app: ServedApp) async throws -> History {
        try await reaching {
            try await reader.story(of: key(account, environment, app)).history(catalogs: app.terms.catalogs)
        }
    }

    /// Why an account's answer is what it is, at a time and with what was known then: events, signing dates and the catalog.
    /// Throws `SyncError`.
    public func explanation(
        of account: AccountID, environment: Environment, app: ServedApp, at instant: Milliseconds,
        knownAt: Milliseconds?
    ) async throws -> Explanation {
        let story = try await reaching {
            try await reader.story(of: key(account, environment, app), knownAt: knownAt)
        }
        let catalogs = knownAt.map { app.terms.catalogs.known(at: $0) } ?? app.terms.catalogs
        return Explanation(
            state: story.state, events: story.events, after: story.erased, notes: story.notes, catalogs: catalogs,
            bundleId: app.terms.bundleId, environment: environment, at: instant, knownAt: knownAt)
    }

    /// The accounts that know of a grant, or a purchase, of this id: ids of grants are unique in the app, and each stream knows
    /// its own only. Throws `SyncError`.
    public func holders(
        ofGrant id: String, environment: Environment, app: ServedApp
    ) async throws -> [AccountID] {
        try await reaching {
            try await store.streams(app: app.number, environment: environment, transactionOrLineage: id).map(\.account)
        }
    }
}
