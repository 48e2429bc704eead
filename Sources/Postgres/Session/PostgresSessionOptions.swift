/// Limits and names of a session. The defaults are those measured for writers of the event log.
public struct PostgresSessionOptions: Sendable {
    /// Shown in `pg_stat_activity`.
    public var applicationName = "entitled"
    /// For the whole of connecting, over all hosts of the string.
    public var connectTimeout: Duration = .seconds(10)
    /// The server gives up waiting for a lock (55P03). Zero: never.
    public var lockTimeout: Duration = .seconds(2)
    /// The server gives up a statement (57014). Zero: never.
    public var statementTimeout: Duration = .seconds(5)
    /// The server ends a session that leaves a transaction open. Zero: never.
    public var idleInTransactionTimeout: Duration = .seconds(5)
    /// The kernel gives up a connection whose peer acknowledges nothing; it also bounds one host's connect.
    public var tcpUserTimeout: Duration = .seconds(5)
    /// The session gives up the connection if the server is silent for this long while it owes the answer to a query. Must
    /// be longer than `statementTimeout`. Scripts and copies have no such limit. Zero: never.
    public var responseTimeout: Duration = .seconds(15)
    /// Units that may be on their way at once; the rest waits here and counts as not sent.
    public var maximumInFlight = 1024
    /// Units that may wait here; more are refused as `overloaded`.
    public var maximumWaiting = 16_384

    /// The defaults.
    public init() {}

    /// For the `options` parameter, which a server reads before the first statement.
    var serverSettings: String {
        [
            ("lock_timeout", lockTimeout), ("statement_timeout", statementTimeout),
            ("idle_in_transaction_session_timeout", idleInTransactionTimeout),
        ].map { "-c \($0.0)=\($0.1.wholeMilliseconds)" }.joined(separator: " ")
    }
}
