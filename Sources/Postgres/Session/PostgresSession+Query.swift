/// A unit from submission to completion.
struct PendingUnit {
    enum Body {
        case commands([PostgresCommand])
        /// One statement without parameters.
        case text(String)
    }

    /// What a result answers.
    enum Step {
        case prepare(String)
        case execute
    }

    let body: Body
    let continuation: CheckedContinuation<Result<[PostgresResult], PostgresError>, Never>
    var steps: [Step] = []
    var results: [PostgresResult] = []
    var failure: PostgresError?
}

extension PostgresSession {
    /// Executes a prepared statement as a unit of its own: committed when it returns.
    public func query(
        _ statement: PostgresStatement, _ parameters: PostgresParameters = PostgresParameters()
    ) async throws(PostgresError) -> PostgresResult {
        try Self.one(of: try await run(.commands([PostgresCommand(statement, parameters)]), turn: nil))
    }

    /// Executes several statements as one unit: all are committed, or none. One round trip, no other query in between.
    public func query(_ commands: [PostgresCommand]) async throws(PostgresError) -> [PostgresResult] {
        try await run(.commands(commands), turn: nil)
    }

    static func one(of results: [PostgresResult]) throws(PostgresError) -> PostgresResult {
        guard let result = results.first else {
            throw PostgresError(.protocolViolation, "the server answered without a result")
        }
        return result
    }

    func run(_ body: PendingUnit.Body, turn: Int?) async throws(PostgresError) -> [PostgresResult] {
        if case .commands(let commands) = body {
            // A turn must be able to end after cancellation, and does so with a text.
            if Task.isCancelled { throw PostgresError(.cancelled, "cancelled before it was sent") }
            try check(commands)
        }
        return try await withCheckedContinuation { continuation in
            submit(PendingUnit(body: body, continuation: continuation), turn: turn)
        }.get()
    }

    /// In one step, without an await in between: what the machine admits must be sent before it is asked again.
    private func submit(_ unit: PendingUnit, turn: Int?) {
        let id = nextID()
        let admission = machine.submit(unit: id, turn: turn)
        if case .reject(let error) = admission { return unit.continuation.resume(returning: .failure(error)) }
        pending[id] = unit
        guard admission == .start else { return }
        start(unit: id)
        settle()
    }

    private func check(_ commands: [PostgresCommand]) throws(PostgresError) {
        for command in commands {
            let (statement, parameters) = (command.statement, command.parameters)
            guard parameters.types == statement.parameterTypes else {
                throw PostgresError(
                    .invalidParameters,
                    "statement \(statement.name) takes \(statement.parameterTypes), given \(parameters.types)")
            }
            if let sql = prepared[statement.name], sql != statement.sql {
                throw PostgresError(
                    .invalidParameters, "two statements are named \(statement.name): give each its own name")
            }
        }
    }

    /// Hands a unit over to libpq, which sends it.
    func start(unit id: Int) {
        guard let connection, let body = pending[id]?.body else { return }
        var steps: [PendingUnit.Step] = []
        var isSent = true
        switch body {
        case .text(let sql):
            steps.append(.execute)
            isSent = connection.sendInPipeline(sql)
        case .commands(let commands):
            for command in commands {
                let name = command.statement.name
                if prepared.updateValue(command.statement.sql, forKey: name) == nil {
                    steps.append(.prepare(name))
                    isSent = isSent && connection.sendPrepare(command.statement)
                }
                steps.append(.execute)
                isSent = isSent && connection.sendExecute(command.statement, command.parameters)
            }
        }
        pending[id]?.steps = steps
        machine.sent(unit: id, commandCount: steps.count)
        guard isSent, connection.sendSync() else {
            return end(PostgresError(.connectionLost, "sending failed: \(connection.errorMessage)"))
        }
        if !isFlushPending { flush() }
    }

    // MARK: What the machine decided

    func keep(_ result: PostgresResult?, unit: Int, command: Int) {
        guard let result, case .execute = pending[unit]?.steps[command] else { return }
        pending[unit]?.results.append(result)
    }

    func fail(unit: Int, command: Int, _ failure: ServerFailure) {
        guard let steps = pending[unit]?.steps else { return }
        // A statement whose preparation failed, or was skipped after the failure, does not exist on the server.
        for case .prepare(let name) in steps.dropFirst(command) { prepared[name] = nil }
        if pending[unit]?.failure == nil { pending[unit]?.failure = failure.error }
    }

    func complete(unit: Int) {
        guard let done = pending.removeValue(forKey: unit) else { return }
        done.continuation.resume(returning: done.failure.map(Result.failure) ?? .success(done.results))
    }
}
