/// A script or copy under way.
struct PendingPlain {
    var results: [PostgresResult] = []
    var failure: PostgresError?
    /// Whoever waits for the next step of it.
    var continuation: CheckedContinuation<Void, Never>?
}

extension PostgresSession {
    /// Executes one or more statements without parameters, for example a migration. Several statements are one unit,
    /// unless they hold transaction commands. Values come in text format.
    @discardableResult
    public func execute(_ script: String) async throws(PostgresError) -> [PostgresResult] {
        let turn = try await takeTurn()
        defer { giveBack(turn: turn) }
        return try await runScript(script, turn: turn)
    }

    func runScript(_ script: String, turn: Int) async throws(PostgresError) -> [PostgresResult] {
        try beginPlain(.script, sql: script, turn: turn)
        return try await finishPlain()
    }

    /// Leaves the pipeline and sends; libpq refuses scripts and COPY within it.
    func beginPlain(_ operation: PlainOperation, sql: String, turn: Int) throws(PostgresError) {
        if Task.isCancelled { throw PostgresError(.cancelled, "cancelled before it was sent") }
        if case .reject(let error) = machine.begin(operation, turn: turn) { throw error }
        plain = PendingPlain()
        guard let connection, connection.endPipelining(), connection.sendScript(sql) else {
            let error = PostgresError(.connectionLost, "sending failed: \(connection?.errorMessage ?? "no connection")")
            end(error)
            plain = nil
            throw error
        }
        flush()
        settle()
    }

    /// Waits for the next event of the script or copy, unless what is waited for has come already.
    func plainEvent(while isWaiting: () -> Bool) async {
        await withCheckedContinuation { continuation in
            guard plain != nil, isWaiting() else { return continuation.resume() }
            plain?.continuation = continuation
            settle()
        }
    }

    /// Waits for the end, and answers with the results.
    func finishPlain() async throws(PostgresError) -> [PostgresResult] {
        while machine.plain != nil { await plainEvent { machine.plain != nil } }
        let finished = plain
        plain = nil
        if let failure = finished?.failure { throw failure }
        return finished?.results ?? []
    }

    func completePlain() {
        if let connection, !connection.beginPipelining() {
            end(PostgresError(.connectionLost, "the pipeline cannot be resumed: \(connection.errorMessage)"))
        }
        resumePlain(nil)
    }

    func resumePlain(_ error: PostgresError?) {
        if let error { plain?.failure = error }
        let continuation = plain?.continuation
        plain?.continuation = nil
        continuation?.resume()
    }
}
