public import Postgres

/// What the event log needs of a connection: a session, or whatever lends sessions.
public protocol LogConnection: Sendable {
    /// Executes a statement as a unit of its own.
    func query(
        _ statement: PostgresStatement, _ parameters: PostgresParameters
    ) async throws(PostgresError) -> PostgresResult
    /// Executes several statements as one unit, in one round trip.
    func query(_ commands: [PostgresCommand]) async throws(PostgresError) -> [PostgresResult]
}

extension PostgresSession: LogConnection {}

/// The event log: streams of events with dense versions, states in snapshots, the lineage directory.
///
/// It holds no state of its own; what it sees is what is committed. Errors are `PostgresError` or `EventLogError`.
public struct EventStore: Sendable {
    let connection: any LogConnection

    /// The log behind a connection. A writer has a session of its own, with a lane range of its own: sessions that share
    /// lanes do the work of one.
    public init(_ connection: any LogConnection) {
        self.connection = connection
    }

    func run(_ statement: PostgresStatement, _ values: any PostgresValue...) async throws(PostgresError)
        -> PostgresResult
    {
        try await connection.query(statement, Self.parameters(values))
    }

    static func command(_ statement: PostgresStatement, _ values: any PostgresValue...) -> PostgresCommand {
        PostgresCommand(statement, parameters(values))
    }

    private static func parameters(_ values: [any PostgresValue]) -> PostgresParameters {
        var parameters = PostgresParameters()
        for value in values { parameters.append(value) }
        return parameters
    }
}
