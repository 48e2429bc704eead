import Entitlements

extension EntitledClient {
    /// The longest the timer sleeps: a wall clock that is set may bring a change nearer, and the clock is kept so often.
    static let longestSleep: Milliseconds = 60_000

    /// Looks at the clocks and shows what they changed. No network is needed for an end to pass.
    func timePassed() {
        context.kept?.clock.observe(clock)
        if lock != nil, clock.monotonic - clockSavedAt >= Self.longestSleep || clock.monotonic < clockSavedAt {
            saveClock()
        }
        showView()
        scheduleChange()
    }

    /// Sets the timer to the next change by time.
    func scheduleChange() {
        changeTask?.cancel()
        guard isStarted, context.kept != nil else { return }
        let wait = min(max(context.untilNextChange ?? Self.longestSleep, 1), Self.longestSleep)
        let generation = generation
        changeTask = Task {
            do { try await clock.sleep(for: wait) } catch { return }
            if generation == self.generation, !Task.isCancelled { timePassed() }
        }
    }

    /// Shows the view if a person would see a difference.
    func showView() {
        let view = context.view
        if let lastView, view.looksLike(lastView) { return }
        lastView = view
        views.send(.verified(view))
    }

    func showStatus() {
        let status = currentStatus
        guard status != lastStatus else { return }
        lastStatus = status
        statuses.send(status)
        remark(.connection, "the connection is \(status.rawValue)")
    }

    private var currentStatus: ConnectionStatus {
        guard isStarted else { return .stopped }
        guard lock != nil else { return .reading }
        return switch poll.state {
        case .idle: .stopped
        case .fetching: lastStatus == .live ? .live : .connecting
        case .holding, .pacing: .live
        case .backingOff, .draining: .waiting
        case .offline: .offline
        case .refreshing: lastStatus ?? .connecting
        case .authFailed: .signedOut
        }
    }

    func remark(_ subject: ClientDiagnostic.Subject, _ message: String) {
        remarks.send(ClientDiagnostic(subject: subject, message: message, at: clock.wall))
    }
}
