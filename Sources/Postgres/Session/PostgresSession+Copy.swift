/// Puts bytes into a COPY … FROM STDIN, for the time of its body.
public struct PostgresCopyWriter: Sendable {
    let session: PostgresSession

    /// Puts bytes, in any portion; returns when the kernel has taken them, so a slow server slows the writer.
    public func write(_ bytes: [UInt8]) async throws(PostgresError) {
        try await session.putCopyData(bytes)
    }
}

extension PostgresSession {
    /// Runs a `COPY … FROM STDIN` and lets the body put the rows. If the body throws, nothing is stored and the error goes
    /// on. Answers the number of rows.
    @discardableResult
    public func copyIn(
        _ sql: String, _ body: @Sendable (PostgresCopyWriter) async throws -> Void
    ) async throws -> Int {
        let turn = try await takeTurn()
        defer { giveBack(turn: turn) }
        return try await runCopyIn(sql, turn: turn, body)
    }

    /// Runs a `COPY … TO STDOUT` and hands over its bytes, in portions of whole rows. A slow taker slows the server. If the
    /// taker throws, the connection is closed, since the rest can be arbitrarily long. Answers the number of rows.
    @discardableResult
    public func copyOut(_ sql: String, _ take: @Sendable ([UInt8]) async throws -> Void) async throws -> Int {
        let turn = try await takeTurn()
        defer { giveBack(turn: turn) }
        return try await runCopyOut(sql, turn: turn, take)
    }

    func runCopyIn(
        _ sql: String, turn: Int, _ body: @Sendable (PostgresCopyWriter) async throws -> Void
    ) async throws -> Int {
        try await beginCopy(.copyIn, sql: sql, turn: turn)
        do {
            try await body(PostgresCopyWriter(session: self))
        } catch {
            endCopyIn(failing: "the client gave up")
            // What the server says about it is a consequence, unless it was the cause.
            do { _ = try await finishPlain() } catch let cause where cause.sqlState != .queryCanceled {
                throw cause
            } catch {}
            throw error
        }
        endCopyIn(failing: nil)
        return try await finishPlain().first?.affectedRows ?? 0
    }

    func runCopyOut(
        _ sql: String, turn: Int, _ take: @Sendable ([UInt8]) async throws -> Void
    ) async throws -> Int {
        try await beginCopy(.copyOut, sql: sql, turn: turn)
        while let chunk = await nextCopyChunk() {
            do {
                try await take(chunk)
            } catch {
                end(PostgresError(.connectionLost, "a copy was given up half-way"))
                plain = nil
                throw error
            }
        }
        return try await finishPlain().first?.affectedRows ?? 0
    }

    private func beginCopy(_ operation: PlainOperation, sql: String, turn: Int) async throws(PostgresError) {
        try beginPlain(operation, sql: sql, turn: turn)
        let isBeginning = { self.machine.plain == .awaiting(operation) }
        while isBeginning() { await plainEvent(while: isBeginning) }
        if machine.plain == .copyingIn || machine.plain == .copyingOut { return }
        _ = try await finishPlain()
        throw PostgresError(.invalidParameters, "the statement is not a COPY in this direction")
    }

    fileprivate func putCopyData(_ bytes: [UInt8]) async throws(PostgresError) {
        var offset = 0
        // libpq buffers whatever it is given, so each portion waits until the last one has gone.
        let portion = 1 << 18
        while offset < bytes.count {
            guard machine.plain == .copyingIn, let connection else {
                throw plain?.failure ?? PostgresError(.protocolViolation, "the copy is over")
            }
            let end = min(offset + portion, bytes.count)
            let isTaken = bytes.withUnsafeBytes {
                connection.putCopyData(UnsafeRawBufferPointer(rebasing: $0[offset..<end]))
            }
            guard isTaken else {
                // The server refused a row; the reason comes as the result.
                endCopyIn(failing: nil)
                throw PostgresError(.protocolViolation, "the server ended the copy")
            }
            offset = end
            flush()
            settle()
            let error: PostgresError? = await withCheckedContinuation { continuation in
                guard isFlushPending, self.connection != nil else { return continuation.resume(returning: nil) }
                flushContinuations.append(continuation)
            }
            if let error { throw error }
        }
    }

    private func endCopyIn(failing reason: String?) {
        guard machine.copyEnded(), let connection else { return }
        // Fails if the server has ended the copy: then its reason is the next result.
        _ = connection.putCopyEnd(failing: reason)
        flush()
        readResults()
        settle()
    }

    /// The next rows, about 64 kB; nil at the end.
    private func nextCopyChunk() async -> [UInt8]? {
        let portion = 1 << 16
        var chunk: [UInt8] = []
        while machine.plain == .copyingOut, let connection {
            switch connection.readCopyData(into: &chunk) {
            case .row:
                if chunk.count >= portion { return chunk }
            case .wait:
                if !chunk.isEmpty { return chunk }
                let seen = arrivals
                await plainEvent { machine.plain == .copyingOut && arrivals == seen }
            case .end:
                _ = machine.copyEnded()
                readResults()
                settle()
            }
        }
        return chunk.isEmpty ? nil : chunk
    }
}
