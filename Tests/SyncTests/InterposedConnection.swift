import EventLog
import Postgres
import Synchronization

/// A session that lets something else happen just before its first append: the moment between decision and commit.
final class InterposedConnection: LogConnection {
    private let session: PostgresSession
    private let meanwhile: @Sendable () async throws -> Void
    private let isDue = Mutex(true)

    init(_ session: PostgresSession, beforeAppend meanwhile: @escaping @Sendable () async throws -> Void) {
        self.session = session
        self.meanwhile = meanwhile
    }

    func query(
        _ statement: PostgresStatement, _ parameters: PostgresParameters
    ) async throws(PostgresError) -> PostgresResult {
        if statement.name == "append_batch",
            isDue.withLock({ isDue in
                defer { isDue = false }; return isDue
            })
        {
            do {
                try await meanwhile()
            } catch {
                throw PostgresError(.cancelled, "what should happen meanwhile failed: \(error)")
            }
        }
        return try await session.query(statement, parameters)
    }

    func query(_ commands: [PostgresCommand]) async throws(PostgresError) -> [PostgresResult] {
        try await session.query(commands)
    }
}
