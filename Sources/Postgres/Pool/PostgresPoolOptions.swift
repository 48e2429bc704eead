/// Limits of a pool.
public struct PostgresPoolOptions: Sendable {
    /// Sessions that are kept even if nobody needs them.
    public var minimumSessions = 1
    /// Sessions at most, lent ones included.
    public var maximumSessions = 4
    /// Who may wait for a session at once; more are refused as `poolExhausted`.
    public var maximumWaiting = 1024
    /// How long one waits at most.
    public var waitTimeout: Duration = .seconds(5)
    /// An older session is replaced when it is idle.
    public var maximumAge: Duration = .seconds(1800)
    /// Idle sessions are checked this often.
    public var checkInterval: Duration = .seconds(15)
    /// The pause after the first failed connect; it doubles up to `maximumBackoff`.
    public var firstBackoff: Duration = .milliseconds(100)
    /// The longest pause between two tries to connect.
    public var maximumBackoff: Duration = .seconds(5)
    /// For each session.
    public var session = PostgresSessionOptions()

    /// The defaults.
    public init() {}
}
