/// What the bearer of a token may do (docs/threat-model.md).
public enum Scope: String, Sendable, Hashable, CaseIterable {
    /// Its own account of one app.
    case device
    /// The backend of one app: its accounts, device tokens and the feed.
    case backend
    /// Operators: may look and grant.
    case support
    /// Operators: everything.
    case admin
    /// The metrics.
    case metrics

    /// For messages.
    static var allNames: String { allCases.map(\.rawValue).joined(separator: ", ") }

    /// Whether such a token may stand for all apps.
    var mayNameEveryApp: Bool { self == .support || self == .admin || self == .metrics }
}
