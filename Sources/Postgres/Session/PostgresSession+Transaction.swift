/// A session within `transaction`, for the time of its body.
public struct PostgresTransaction: Sendable {
    let session: PostgresSession
    let turn: Int

    /// Executes a prepared statement in the transaction.
    public func query(
        _ statement: PostgresStatement, _ parameters: PostgresParameters = PostgresParameters()
    ) async throws(PostgresError) -> PostgresResult {
        try PostgresSession.one(
            of: try await session.run(.commands([PostgresCommand(statement, parameters)]), turn: turn))
    }

    /// Executes several statements in the transaction, in one round trip.
    public func query(_ commands: [PostgresCommand]) async throws(PostgresError) -> [PostgresResult] {
        try await session.run(.commands(commands), turn: turn)
    }

    /// Executes a script in the transaction. It must not end the transaction.
    @discardableResult
    public func execute(_ script: String) async throws(PostgresError) -> [PostgresResult] {
        try await session.runScript(script, turn: turn)
    }

    /// Like `PostgresSession.copyIn`, in the transaction.
    @discardableResult
    public func copyIn(
        _ sql: String, _ body: @Sendable (PostgresCopyWriter) async throws -> Void
    ) async throws -> Int {
        try await session.runCopyIn(sql, turn: turn, body)
    }

    /// Like `PostgresSession.copyOut`, in the transaction.
    @discardableResult
    public func copyOut(_ sql: String, _ take: @Sendable ([UInt8]) async throws -> Void) async throws -> Int {
        try await session.runCopyOut(sql, turn: turn, take)
    }
}

/// How much a transaction sees of others.
public enum PostgresIsolation: String, Sendable {
    /// Each statement sees what was committed before it.
    case readCommitted = "READ COMMITTED"
    /// All statements see what was committed before the first.
    case repeatableRead = "REPEATABLE READ"
    /// As if transactions ran one after another; may fail with 40001.
    case serializable = "SERIALIZABLE"
}

extension PostgresSession {
    /// Runs the body between BEGIN and COMMIT, alone on the session. If it throws, also by cancellation, the transaction is
    /// rolled back and the error goes on. Do not call the session itself within the body: it would wait for ever.
    public func transaction<T: Sendable>(
        isolation: PostgresIsolation = .readCommitted, _ body: @Sendable (PostgresTransaction) async throws -> T
    ) async throws -> T {
        let turn = try await takeTurn()
        defer { giveBack(turn: turn) }
        _ = try await run(.text("BEGIN ISOLATION LEVEL \(isolation.rawValue)"), turn: turn)
        let value: T
        do {
            value = try await body(PostgresTransaction(session: self, turn: turn))
        } catch {
            // If this fails too, the connection is broken, which ends the transaction as well.
            _ = try? await run(.text("ROLLBACK"), turn: turn)
            throw error
        }
        let commit = try await run(.text("COMMIT"), turn: turn)
        // The server answers a COMMIT of a failed transaction with success, and this tag.
        if commit.first?.commandTag == "ROLLBACK" {
            throw PostgresError(
                .server(.inFailedTransaction), "a statement had failed: the transaction was rolled back")
        }
        return value
    }

    func takeTurn() async throws(PostgresError) -> Int {
        if Task.isCancelled { throw PostgresError(.cancelled, "cancelled before it was sent") }
        return try await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Int, PostgresError>, Never>) in
            let id = nextID()
            switch machine.submit(turn: id) {
            case .start: continuation.resume(returning: .success(id))
            case .reject(let error): continuation.resume(returning: .failure(error))
            case .wait: turnContinuations[id] = continuation
            }
        }.get()
    }

    func giveBack(turn: Int) {
        _ = machine.release(turn: turn)
        settle()
    }
}
