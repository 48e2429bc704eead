import Entitlements

extension EntitledClient {
    /// The longest the timer sleeps: a wall clock that is set may bring a change nearer, and the clock is kept so often.
    static let longestSleep: Milliseconds = 60_000

    /// Looks at the clocks, shows what they changed and sets the timer anew. No network is needed for an end to pass.
    func timePassed() {
        lookAtClocks()
        if lock != nil, clock.monotonic - clockSavedAt >= Self.longestSleep || clock.monotonic < clockSavedAt {
            saveClock()
        }
        scheduleChange()
    }

    func lookAtClocks() {
        context.kept?.clock.observe(clock)
        settlePending()
        showView()
    }

    /// Sees to it that the timer fires at the next change by time, or before: then it looks and sleeps again. So one that is
    /// out and early enough stays, and views that follow each other fast cost no timer each.
    func scheduleChange() {
        guard isStarted, context.kept != nil || !context.pending.isEmpty else { return }
        let wait = min(max(context.untilNextChange(by: clock) ?? Self.longestSleep, 1), Self.longestSleep)
        let now = clock.monotonic
        if let changeTimerAt, (now...now + wait).contains(changeTimerAt) { return }
        changeTask?.cancel()
        changeTimerAt = now + wait
        let generation = generation
        changeTask = Task {
            do { try await clock.sleep(for: wait) } catch { return }
            guard generation == self.generation, !Task.isCancelled else { return }
            changeTimerAt = nil
            timePassed()
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
        case .fetching, .holding, .pacing:
            // While it is tried again, a service that was not reached stays so.
            poll.isReached ? .live : lastStatus == .offline ? .offline : .connecting
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
