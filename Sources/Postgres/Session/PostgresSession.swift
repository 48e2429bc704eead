/// One connection to PostgreSQL, driven by a reactor.
///
/// Queries of several tasks are pipelined: each is its own unit, committed by itself, and answered in order. The session
/// lives until it is closed or the connection breaks; then everything that waits fails, with an error that tells whether it
/// had been handed over. Cancelling a task stops a command that has not been sent, and never one that has.
public actor PostgresSession {
    private let executor: UnownedSerialExecutor
    let reactor: any SocketReactor
    let options: PostgresSessionOptions

    var machine: SessionStateMachine
    var connection: LibpqConnection?
    var watch: (any SocketWatch)?
    var interest: SocketInterest = []
    var connectContinuation: CheckedContinuation<PostgresError?, Never>?
    var connectTimer: (any ReactorTimer)?
    var watchdog: (any ReactorTimer)?
    /// Counts arrivals, so that the watchdog sees silence.
    var arrivals = 0

    var pending: [Int: PendingUnit] = [:]
    var turnContinuations: [Int: CheckedContinuation<Result<Int, PostgresError>, Never>] = [:]
    var plain: PendingPlain?
    var prepared: [String: String] = [:]
    var flushContinuations: [CheckedContinuation<PostgresError?, Never>] = []
    var isFlushPending = false
    var subscribers: [String: [AsyncStream<PostgresNotification>.Continuation]] = [:]
    var closeContinuations: [CheckedContinuation<Void, Never>] = []
    var onEnd: (@Sendable (PostgresError) -> Void)?
    private var lastID = 0

    /// The reactor: the session runs on its thread.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor }

    init(options: PostgresSessionOptions, reactor: any SocketReactor) {
        self.reactor = reactor
        self.options = options
        executor = reactor.asUnownedSerialExecutor()
        machine = SessionStateMachine(
            maximumInFlight: options.maximumInFlight, maximumWaiting: options.maximumWaiting)
    }

    /// False once the connection is gone or is being closed.
    public var isOpen: Bool { machine.phase == .open }

    /// Somebody else can go on with it: nothing is under way, and no transaction was left open.
    var isReusable: Bool { machine.isIdle && connection?.isOutsideTransaction == true }

    /// The server process, as `pg_stat_activity.pid` has it; nil without a connection.
    public var serverProcessID: Int32? { connection?.processID }

    func nextID() -> Int {
        lastID += 1
        return lastID
    }

    // MARK: Events of the reactor

    func socketIsReady(_ readiness: SocketInterest) {
        if readiness.contains(.write) { flush() }
        if readiness.contains(.read) { readInput() }
        settle()
    }

    private func readInput() {
        guard let connection else { return }
        arrivals += 1
        let isAlive = connection.consumeInput()
        readResults()
        readNotifications()
        if !isAlive { lose() }
    }

    /// Takes every result that has arrived completely.
    func readResults() {
        while machine.isExpectingResults, let connection, !connection.isBusy {
            let result = connection.nextResult()
            switch machine.received(result?.kind ?? .endOfCommand) {
            case .none: break
            case .keep(let unit, let command): keep(result, unit: unit, command: command)
            case .fail(let unit, let command, let failure): fail(unit: unit, command: command, failure)
            case .complete(let unit): complete(unit: unit)
            case .keepPlain: if let result { plain?.results.append(result) }
            case .failPlain(let failure): if plain?.failure == nil { plain?.failure = failure.error }
            case .completePlain: completePlain()
            case .beginCopyIn, .beginCopyOut: resumePlain(nil)
            case .disconnect(let error): end(error)
            }
        }
        // Libpq does not ask for results while a copy runs, so the copy's owner is told that something came.
        if machine.plain == .copyingOut { resumePlain(nil) }
    }

    /// Sends what libpq has buffered; the rest goes when the socket takes it.
    func flush() {
        guard let connection else { return }
        switch connection.flush() {
        case .done:
            isFlushPending = false
            let waiting = flushContinuations
            flushContinuations = []
            for continuation in waiting { continuation.resume(returning: nil) }
        case .pending: isFlushPending = true
        case .failed:
            // What the server said before it went is still to be read.
            _ = connection.consumeInput()
            readResults()
            lose()
        }
    }

    /// After each event: starts what may start, watches for what is due, closes when nothing is left.
    func settle() {
        while let request = machine.nextToStart() {
            switch request {
            case .unit(let id): start(unit: id)
            case .turn(let id): turnContinuations.removeValue(forKey: id)?.resume(returning: .success(id))
            }
        }
        if machine.isDrained { end(PostgresError(.closed, "the session was closed")) }
        updateInterest()
        startWatchdog()
    }

    /// Does not read while the taker of a copy is busy: that is what holds the server back.
    private func updateInterest() {
        guard let watch, machine.phase != .connecting else { return }
        var wanted: SocketInterest = machine.plain == .copyingOut && plain?.continuation == nil ? [] : .read
        if isFlushPending { wanted.insert(.write) }
        guard wanted != interest else { return }
        interest = wanted
        watch.update(interest: wanted)
    }

    private func startWatchdog() {
        guard watchdog == nil, !machine.pipeline.isEmpty, options.responseTimeout > .zero else { return }
        let seen = arrivals
        watchdog = reactor.schedule(after: options.responseTimeout) { [weak self] in
            self?.assumeIsolated { $0.watchdogFired(seen: seen) }
        }
    }

    private func watchdogFired(seen: Int) {
        watchdog = nil
        if !machine.pipeline.isEmpty, arrivals == seen {
            end(PostgresError(.connectionLost, "the server has been silent for \(options.responseTimeout)"))
        }
        startWatchdog()
    }

    // MARK: The end

    /// Waits for what was begun, refuses what waits, and closes the connection.
    public func close() async {
        if let refused = machine.close() {
            fail(refused, with: SessionStateMachine.sessionIsClosing)
        }
        await withCheckedContinuation { continuation in
            if case .closed = machine.phase { return continuation.resume() }
            closeContinuations.append(continuation)
            settle()
        }
    }

    /// Closes the connection at once. What was sent fails as `connectionLost`.
    public func abort() {
        end(PostgresError(.closed, "the session was aborted"))
    }

    /// Calls the handler on the reactor when the connection is gone, or now if it is already.
    func notifyAtEnd(_ handler: @escaping @Sendable (PostgresError) -> Void) {
        if case .closed(let error) = machine.phase { handler(error) } else { onEnd = handler }
    }

    private func lose() {
        end(PostgresError(.connectionLost, "the connection broke: \(connection?.errorMessage ?? "")"))
    }

    /// The only way to the end: lets go of the descriptor and fails everything that waits.
    func end(_ error: PostgresError) {
        guard let ending = machine.end(error) else { return }
        // In this order: a watch must not outlive its descriptor.
        watch?.cancel()
        watch = nil
        connectTimer?.cancel()
        connectTimer = nil
        watchdog?.cancel()
        watchdog = nil
        connection = nil

        let unknown = PostgresError(.connectionLost, "outcome unknown, the command had been sent: " + error.message)
        for id in ending.unknown { pending.removeValue(forKey: id)?.continuation.resume(returning: .failure(unknown)) }
        let code: PostgresError.Code = error.code == .connectionLost ? .notSent : error.code
        fail(ending.notSent, with: PostgresError(code, "the command was not sent: " + error.message))
        if ending.interruptsPlain {
            plain?.failure = unknown
            resumePlain(unknown)
        }
        for continuation in flushContinuations { continuation.resume(returning: unknown) }
        flushContinuations = []
        for stream in subscribers.values.joined() { stream.finish() }
        subscribers = [:]
        connectContinuation?.resume(returning: error)
        connectContinuation = nil
        for continuation in closeContinuations { continuation.resume() }
        closeContinuations = []
        onEnd?(error)
        onEnd = nil
    }

    private func fail(_ requests: [SessionStateMachine.Request], with error: PostgresError) {
        for request in requests {
            switch request {
            case .unit(let id): pending.removeValue(forKey: id)?.continuation.resume(returning: .failure(error))
            case .turn(let id): turnContinuations.removeValue(forKey: id)?.resume(returning: .failure(error))
            }
        }
    }
}
