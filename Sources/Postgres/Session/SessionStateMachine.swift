/// What arrived from the server, seen without its content.
enum ServerResult: Hashable {
    /// Rows or a command tag.
    case success
    case failure(ServerFailure)
    /// Skipped, because an earlier command of the unit failed.
    case aborted
    /// NULL of `PQgetResult`: the command has no more results.
    case endOfCommand
    /// The unit is over, and committed if nothing failed.
    case sync
    case copyIn
    case copyOut
    case unexpected
}

/// Decides what a session does; its owner does it.
///
/// A *unit* is what ends in one Sync: one command, or a few that succeed or fail together. A *turn* is the right to use
/// the session alone, for a transaction or for what cannot be pipelined. Units and turns start in the order in which they
/// were asked for; units of the turn that is held start at once.
struct SessionStateMachine {
    enum Phase: Hashable {
        /// → open, closed
        case connecting
        /// → closing, closed
        case open
        /// Finishes what was begun and starts nothing new. → closed
        case closing
        /// The end, with the error for whoever comes now.
        case closed(PostgresError)
    }

    /// A unit or a turn that waits to start.
    enum Request: Hashable {
        case unit(Int)
        case turn(Int)
    }

    enum Admission: Hashable {
        case start
        case wait
        case reject(PostgresError)
    }

    /// What ends with the connection: those with an unknown outcome, and those that were never sent.
    struct Ending: Hashable {
        var unknown: [Int] = []
        var notSent: [Request] = []
        /// An operation outside of the pipeline was under way.
        var interruptsPlain = false
    }

    private(set) var phase = Phase.connecting
    var pipeline = FIFO<PipelineUnit>()
    var plain: PlainPhase?
    private var waiting = FIFO<Request>()
    private(set) var turnHolder: Int?
    private let maximumInFlight: Int
    private let maximumWaiting: Int

    init(maximumInFlight: Int, maximumWaiting: Int) {
        self.maximumInFlight = maximumInFlight
        self.maximumWaiting = maximumWaiting
    }

    /// Something was sent whose answer has not come completely.
    var isAwaitingServer: Bool {
        !pipeline.isEmpty || plain == .awaiting(.script) || plain == .awaiting(.copyIn) || plain == .awaiting(.copyOut)
            || plain == .finishing
    }

    /// While a copy runs, results are not asked for.
    var isExpectingResults: Bool {
        isAwaitingServer && (phase == .open || phase == .closing)
    }

    /// Nothing is left to finish: the connection may be closed.
    var isDrained: Bool {
        phase == .closing && pipeline.isEmpty && plain == nil && turnHolder == nil
    }

    /// Nothing is under way and nothing waits.
    var isIdle: Bool {
        phase == .open && pipeline.isEmpty && waiting.isEmpty && plain == nil && turnHolder == nil
    }

    // MARK: Connecting

    /// True if the session is open now; false if it was closed meanwhile or is already open.
    mutating func connected() -> Bool {
        guard phase == .connecting else { return false }
        phase = .open
        return true
    }

    // MARK: Starting

    /// Asks to start a unit, alone or as part of a turn.
    mutating func submit(unit: Int, turn: Int? = nil) -> Admission {
        if let rejection = rejection(turn: turn) { return .reject(rejection) }
        if let turn {
            guard turn == turnHolder else { return .reject(Self.turnIsOver) }
            guard plain == nil else { return .reject(Self.plainIsRunning) }
            return .start
        }
        return admit(.unit(unit))
    }

    /// Asks for a turn.
    mutating func submit(turn: Int) -> Admission {
        if let rejection = rejection(turn: nil) { return .reject(rejection) }
        let admission = admit(.turn(turn))
        if admission == .start { turnHolder = turn }
        return admission
    }

    func rejection(turn: Int?) -> PostgresError? {
        switch phase {
        case .open: nil
        // A transaction may still commit.
        case .closing where turn != nil && turn == turnHolder: nil
        case .closing: Self.sessionIsClosing
        case .connecting: PostgresError(.notSent, "the session is not connected yet")
        case .closed(let error): PostgresError(error.code == .connectionLost ? .notSent : error.code, error.message)
        }
    }

    private mutating func admit(_ request: Request) -> Admission {
        if waiting.isEmpty, canStart(request) { return .start }
        guard waiting.count < maximumWaiting else {
            return .reject(
                PostgresError(.overloaded, "\(maximumWaiting) commands wait for this session: send fewer at once"))
        }
        waiting.append(request)
        return .wait
    }

    private func canStart(_ request: Request) -> Bool {
        guard turnHolder == nil, plain == nil else { return false }
        return switch request {
        case .unit: pipeline.count < maximumInFlight
        case .turn: pipeline.isEmpty
        }
    }

    /// The next one that may start now. Asked after each event until it answers nil.
    mutating func nextToStart() -> Request? {
        guard phase == .open, let request = waiting.first, canStart(request) else { return nil }
        _ = waiting.popFirst()
        if case .turn(let turn) = request { turnHolder = turn }
        return request
    }

    /// The unit's commands were handed over, with a Sync.
    mutating func sent(unit: Int, commandCount: Int) {
        pipeline.append(PipelineUnit(id: unit, commandCount: commandCount))
    }

    /// Gives a turn back. False if it is not held.
    mutating func release(turn: Int) -> Bool {
        guard turn == turnHolder else { return false }
        turnHolder = nil
        return true
    }

    // MARK: Ending

    /// Stops new work. Answers what will never start; nil if the session is not open.
    mutating func close() -> [Request]? {
        switch phase {
        case .closed, .closing: return nil
        case .connecting, .open:
            phase = .closing
            return waiting.removeAll()
        }
    }

    /// The connection is gone, or must go. Nil if it was already.
    mutating func end(_ error: PostgresError) -> Ending? {
        if case .closed = phase { return nil }
        phase = .closed(error)
        let ending = Ending(
            unknown: pipeline.removeAll().map(\.id), notSent: waiting.removeAll(), interruptsPlain: plain != nil)
        plain = nil
        return ending
    }

    static let turnIsOver = PostgresError(
        .protocolViolation, "the transaction is over: its handle cannot be used any more")
    static let plainIsRunning = PostgresError(
        .protocolViolation, "a script or copy is running in this transaction: wait for its end")
    static let sessionIsClosing = PostgresError(.closed, "the session is closing")
}
