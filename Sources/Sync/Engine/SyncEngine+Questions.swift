public import Entitlements
import EventLog

extension SyncEngine {
    /// Why an account's answer at an instant is what it is; with only what was known at another if `knownAt` is given. Throws
    /// `SyncError`.
    public func explanation(
        of account: AccountID, environment: Environment, app: ServedApp, at instant: Milliseconds,
        knownAt: Milliseconds?
    ) async throws -> Explanation {
        let key = key(account, environment, app)
        return try await reaching {
            let events = try await reader.events(of: key)
            let notes = try await reader.notes(of: key, about: events)
            let state =
                if let knownAt {
                    try await reader.state(of: key, knownAt: knownAt)
                } else {
                    try await reader.state(of: key)
                }
            let catalogs = app.terms.catalogs
            return Explanation(
                state: state, events: events, notes: notes, catalogs: knownAt.map(catalogs.known) ?? catalogs,
                bundleId: app.terms.bundleId, environment: environment, at: instant, knownAt: knownAt)
        }
    }

    /// What happened to an account. Throws `SyncError`.
    public func history(of account: AccountID, environment: Environment, app: ServedApp) async throws -> History {
        let key = key(account, environment, app)
        return try await reaching {
            let events = try await reader.events(of: key)
            return History(
                account: account, events: events, notes: try await reader.notes(of: key, about: events),
                catalogs: app.terms.catalogs)
        }
    }
}
