import EventLog
import EventLoop
import Postgres

/// A database session of one loop that opens itself, and again after it was lost. Queries of several tasks are pipelined.
actor LoopConnection: LogConnection {
    /// Where it runs.
    nonisolated let loop: EventLoop
    private let connectionString: String
    private let options: PostgresSessionOptions
    private let repeatsLost: Bool
    private var session: PostgresSession?
    private var opening: Task<Result<PostgresSession, PostgresError>, Never>?
    private var failure: (error: PostgresError, at: Duration)?

    /// While this lasts after a failed connect, everybody gets that failure: a database that is away is not stormed.
    private static let pause = Duration.milliseconds(200)

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// A connection; nothing is opened yet. With `repeatsLost` a query whose session broke is sent once more: for reads only.
    init(to connectionString: String, options: PostgresSessionOptions, repeatsLost: Bool, on loop: EventLoop) {
        self.connectionString = connectionString
        self.options = options
        self.repeatsLost = repeatsLost
        self.loop = loop
    }

    func query(
        _ statement: PostgresStatement, _ parameters: PostgresParameters
    ) async throws(PostgresError) -> PostgresResult {
        try await attempt { session throws(PostgresError) in try await session.query(statement, parameters) }
    }

    func query(_ commands: [PostgresCommand]) async throws(PostgresError) -> [PostgresResult] {
        try await attempt { session throws(PostgresError) in try await session.query(commands) }
    }

    /// Closes the session; a later query opens another.
    func close() async {
        await session?.close()
        session = nil
    }

    /// The open session, for what needs one by itself.
    func opened() async throws(PostgresError) -> PostgresSession {
        if let session, await session.isOpen { return session }
        if let failure, loop.now - failure.at < Self.pause { throw failure.error }
        let opening =
            opening
            ?? Task { [connectionString, options, loop] in
                do throws(PostgresError) {
                    return .success(
                        try await PostgresSession.connect(to: connectionString, options: options, on: loop))
                } catch {
                    return .failure(error)
                }
            }
        self.opening = opening
        let result = await opening.value
        if self.opening == opening { self.opening = nil }
        switch result {
        case .success(let session):
            self.session = session
            failure = nil
            return session
        case .failure(let error):
            failure = (error, loop.now)
            throw error
        }
    }

    private func attempt<Value: Sendable>(
        _ body: (PostgresSession) async throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value {
        do {
            return try await body(try await opened())
        } catch {
            guard repeatsLost, error.code == .connectionLost || error.code == .notSent else { throw error }
            return try await body(try await opened())
        }
    }
}

/// The reading connections of all loops: whoever asks on a loop is served there.
struct SpreadConnection: LogConnection {
    /// One a loop.
    let connections: [LoopConnection]

    private var nearest: LoopConnection {
        // At least one: a group has a loop.
        connections.first { $0.loop.isOnLoop } ?? connections[0]
    }

    func query(
        _ statement: PostgresStatement, _ parameters: PostgresParameters
    ) async throws(PostgresError) -> PostgresResult {
        try await nearest.query(statement, parameters)
    }

    func query(_ commands: [PostgresCommand]) async throws(PostgresError) -> [PostgresResult] {
        try await nearest.query(commands)
    }
}
