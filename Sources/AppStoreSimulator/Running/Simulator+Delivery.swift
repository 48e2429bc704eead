import Entitlements
import Synchronization

/// What the courier asks and tells.
extension Simulator {
    func takeDue() -> [Delivery.Sending] {
        state.withLock { $0.core.delivery.takeDue(at: $0.core.store.now) }
    }

    func report(_ sending: Delivery.Sending, _ result: String) {
        state.withLock { $0.core.delivery.report(sending, result, now: $0.core.store.now) }
    }

    /// Wakes who waits, if nothing is due.
    func restIfIdle() {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            guard state.isIdle else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns when every notification that is due has been tried. Those that wait for their time still wait.
    public func delivered() async {
        guard notificationURL != nil else { return }
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if !state.isIdle { state.waiting.append(continuation) }
                return state.isIdle
            }
            if isIdle { continuation.resume() }
            newsSource.yield()
        }
    }

    /// No more notifications: the courier ends.
    func endNews() {
        newsSource.finish()
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

extension Simulator.State {
    fileprivate var isIdle: Bool {
        core.delivery.underWay == 0 && (core.delivery.nextDue ?? .max) > core.store.now
    }
}
