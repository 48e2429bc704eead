/// A unit whose Sync was sent. Its results come command by command, each with an end, and then the sync.
struct PipelineUnit {
    enum Awaited {
        /// → end
        case result
        /// → result of the next command, sync
        case end
        /// → the next unit
        case sync
        /// After a failed commit → sync
        case endOfFailedCommit
    }

    let id: Int
    let commandCount: Int
    var command = 0
    var awaited: Awaited

    init(id: Int, commandCount: Int) {
        self.id = id
        self.commandCount = commandCount
        awaited = commandCount == 0 ? .sync : .result
    }
}

/// What runs outside of the pipeline, in a turn.
enum PlainOperation: Hashable {
    case script, copyIn, copyOut
}

enum PlainPhase: Hashable {
    /// The statement was sent. → copyingIn, copyingOut, nil
    case awaiting(PlainOperation)
    /// The server takes rows. → finishing
    case copyingIn
    /// The server sends rows. → finishing
    case copyingOut
    /// The copy is over, its result is to come. → nil
    case finishing
}

/// What the owner does with a result.
enum ResultAction: Hashable {
    case none
    /// It answers this command of the unit.
    case keep(unit: Int, command: Int)
    /// This command of the unit failed; the unit ends later.
    case fail(unit: Int, command: Int, ServerFailure)
    /// The unit is over.
    case complete(unit: Int)
    case keepPlain
    case failPlain(ServerFailure)
    case completePlain
    /// Rows may be put.
    case beginCopyIn
    /// Rows may be taken.
    case beginCopyOut
    /// Close the connection: the server ends it, or no longer makes sense.
    case disconnect(PostgresError)
}

extension SessionStateMachine {
    /// Takes the next result.
    mutating func received(_ result: ServerResult) -> ResultAction {
        guard phase == .open || phase == .closing else { return .none }
        if case .failure(let failure) = result, failure.isFatal {
            return .disconnect(PostgresError(.connectionLost, "the server ended the session: " + failure.message))
        }
        if let plain { return receivedPlain(result, in: plain) }
        return pipeline.withFirst { $0.received(result) }.map { action in
            if case .complete = action { _ = pipeline.popFirst() }
            return action
        } ?? Self.violation("a result that nothing asked for")
    }

    static func violation(_ what: String) -> ResultAction {
        .disconnect(PostgresError(.connectionLost, "protocol violation: the server sent \(what)"))
    }

    // MARK: Outside of the pipeline

    /// Asks to send a script or a COPY in a turn.
    mutating func begin(_ operation: PlainOperation, turn: Int) -> Admission {
        if let rejection = rejection(turn: turn) { return .reject(rejection) }
        guard turn == turnHolder else { return .reject(Self.turnIsOver) }
        guard plain == nil else { return .reject(Self.plainIsRunning) }
        guard pipeline.isEmpty else {
            return .reject(
                PostgresError(
                    .protocolViolation,
                    "a query is under way in this transaction: wait for its end before a script or copy"))
        }
        plain = .awaiting(operation)
        return .start
    }

    /// The last row was put or taken, or the copy broke off. False if no copy runs.
    mutating func copyEnded() -> Bool {
        guard plain == .copyingIn || plain == .copyingOut else { return false }
        plain = .finishing
        return true
    }

    private mutating func receivedPlain(_ result: ServerResult, in current: PlainPhase) -> ResultAction {
        switch (current, result) {
        case (.awaiting(.copyIn), .copyIn):
            plain = .copyingIn
            return .beginCopyIn
        case (.awaiting(.copyOut), .copyOut):
            plain = .copyingOut
            return .beginCopyOut
        case (.awaiting, .success), (.finishing, .success): return .keepPlain
        case (.awaiting, .failure(let failure)), (.finishing, .failure(let failure)): return .failPlain(failure)
        case (.awaiting, .endOfCommand), (.finishing, .endOfCommand):
            plain = nil
            return .completePlain
        case (.awaiting, .copyIn), (.awaiting, .copyOut): return Self.violation("a copy where none was begun")
        default: return Self.violation("\(result) outside of the pipeline")
        }
    }
}

extension PipelineUnit {
    mutating func received(_ result: ServerResult) -> ResultAction {
        switch (awaited, result) {
        case (.result, .success):
            awaited = .end
            return .keep(unit: id, command: command)
        case (.result, .failure(let failure)):
            awaited = .end
            return .fail(unit: id, command: command, failure)
        case (.result, .aborted):
            awaited = .end
            return .none
        case (.end, .endOfCommand):
            command += 1
            awaited = command < commandCount ? .result : .sync
            return .none
        case (.sync, .failure(let failure)):
            // The commit itself failed, for example on a deferred constraint.
            awaited = .endOfFailedCommit
            return .fail(unit: id, command: commandCount, failure)
        case (.endOfFailedCommit, .endOfCommand):
            awaited = .sync
            return .none
        case (.sync, .sync): return .complete(unit: id)
        case (_, .copyIn), (_, .copyOut):
            return SessionStateMachine.violation("a copy in the pipeline: use copyIn or copyOut for COPY")
        default: return SessionStateMachine.violation("\(result) while \(awaited) was due")
        }
    }
}
