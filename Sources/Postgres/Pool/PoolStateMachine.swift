/// Decides which session is lent to whom and when one is made, checked or closed; its owner does it.
///
/// Time comes in with the events. The owner calls `tick` when a wake-up that was asked for is due; one too many does no harm.
struct PoolStateMachine<Session: Sendable>: Sendable {
    typealias Instant = ContinuousClock.Instant

    enum Slot: Sendable {
        /// → idle, gone
        case connecting
        /// → lent, checking, gone
        case idle(Session, born: Instant, checked: Instant)
        /// → idle, gone
        case lent(Session, born: Instant)
        /// → idle, gone
        case checking(Session, born: Instant)
    }

    enum Action {
        case connect(slot: Int)
        case check(slot: Int, Session)
        case close(Session)
        case grant(waiter: Int, slot: Int, Session)
        case refuse(waiter: Int, PostgresError)
        case wake(after: Duration)
        /// Everything is closed.
        case finish
    }

    private struct Waiter {
        let id: Int
        let deadline: Instant
    }

    private let options: PostgresPoolOptions
    private(set) var slots: [Int: Slot] = [:]
    private var waiters = FIFO<Waiter>()
    private var failures = 0
    private var lastFailure: PostgresError?
    /// No connect before this, after a failure.
    private var connectAfter: Instant?
    private var isClosing = false
    private var lastSlot = 0

    init(options: PostgresPoolOptions) {
        self.options = options
    }

    // MARK: Events

    mutating func start(now: Instant) -> [Action] {
        settle(now: now) + [.wake(after: options.checkInterval)]
    }

    mutating func lease(waiter id: Int, now: Instant) -> [Action] {
        if isClosing { return [.refuse(waiter: id, PostgresError(.closed, "the pool is closed"))] }
        guard waiters.count < options.maximumWaiting else {
            return [
                .refuse(
                    waiter: id,
                    PostgresError(.poolExhausted, "\(waiters.count) wait for a session already: try again later"))
            ]
        }
        waiters.append(Waiter(id: id, deadline: now + options.waitTimeout))
        let actions = settle(now: now)
        let isServed = !waiters.contains { $0.id == id }
        return isServed ? actions : actions + [.wake(after: options.waitTimeout)]
    }

    /// The one who waits has given up.
    mutating func cancel(waiter id: Int) -> [Action] {
        guard waiters.removeFirst(where: { $0.id == id }) != nil else { return [] }
        return [.refuse(waiter: id, PostgresError(.cancelled, "cancelled while waiting for a session"))]
    }

    /// A session comes back. One that may be in an unknown state is closed.
    mutating func release(slot: Int, isReusable: Bool, now: Instant) -> [Action] {
        guard case .lent(let session, let born) = slots[slot] else { return [] }
        return takeBack(session, slot: slot, born: born, isReusable: isReusable, now: now)
    }

    mutating func connected(slot: Int, _ session: Session, now: Instant) -> [Action] {
        guard case .connecting = slots[slot] else { return [.close(session)] }
        failures = 0
        lastFailure = nil
        connectAfter = nil
        return takeBack(session, slot: slot, born: now, isReusable: true, now: now)
    }

    /// `jitter` between 0 and 1 spreads the tries of many processes.
    mutating func connectFailed(slot: Int, _ error: PostgresError, jitter: Double, now: Instant) -> [Action] {
        guard case .connecting = slots[slot] else { return [] }
        slots[slot] = nil
        lastFailure = error
        let doubled = options.firstBackoff * (1 << min(failures, 16))
        failures += 1
        let pause = min(doubled, options.maximumBackoff) * (0.5 + jitter / 2)
        connectAfter = now + pause
        return settle(now: now) + (isClosing ? [] : [.wake(after: pause)])
    }

    mutating func checked(slot: Int, isAlive: Bool, now: Instant) -> [Action] {
        guard case .checking(let session, let born) = slots[slot] else { return [] }
        return takeBack(session, slot: slot, born: born, isReusable: isAlive, now: now)
    }

    /// The session's connection is gone, wherever the session is.
    mutating func lost(slot: Int, now: Instant) -> [Action] {
        // A lent or checked one comes back by itself.
        guard case .idle = slots[slot] else { return [] }
        slots[slot] = nil
        return settle(now: now)
    }

    mutating func tick(now: Instant) -> [Action] {
        var actions: [Action] = []
        while let waiter = waiters.removeFirst(where: { $0.deadline <= now }) {
            actions.append(.refuse(waiter: waiter.id, waitedTooLong))
        }
        return actions + settle(now: now)
    }

    /// The regular wake-up: replaces old sessions and checks idle ones.
    mutating func maintain(now: Instant) -> [Action] {
        if isClosing { return [] }
        var actions: [Action] = []
        for (slot, state) in slots.sorted(by: { $0.key < $1.key }) {
            guard case .idle(let session, let born, let checked) = state else { continue }
            if now - born >= options.maximumAge {
                slots[slot] = nil
                actions.append(.close(session))
            } else if now - checked >= options.checkInterval {
                slots[slot] = .checking(session, born: born)
                actions.append(.check(slot: slot, session))
            }
        }
        return actions + settle(now: now)
    }

    /// Refuses whoever waits, closes what is idle; lent sessions are closed when they come back.
    mutating func close(now: Instant) -> [Action] {
        if isClosing { return [] }
        isClosing = true
        var actions = waiters.removeAll().map { waiter in
            Action.refuse(waiter: waiter.id, PostgresError(.closed, "the pool is closed"))
        }
        for (slot, state) in slots {
            guard case .idle(let session, _, _) = state else { continue }
            slots[slot] = nil
            actions.append(.close(session))
        }
        return actions + settle(now: now)
    }

    // MARK: Consequences

    private var waitedTooLong: PostgresError {
        guard let lastFailure else {
            return PostgresError(
                .poolExhausted,
                "no session was free within \(options.waitTimeout): \(slots.count) are lent or connecting")
        }
        return PostgresError(.connectionFailed, "no session within \(options.waitTimeout): \(lastFailure.message)")
    }

    private mutating func takeBack(
        _ session: Session, slot: Int, born: Instant, isReusable: Bool, now: Instant
    ) -> [Action] {
        guard isReusable, !isClosing, now - born < options.maximumAge else {
            slots[slot] = nil
            return [.close(session)] + settle(now: now)
        }
        slots[slot] = .idle(session, born: born, checked: now)
        return settle(now: now)
    }

    /// Serves whoever can be served, and connects as many as are missing.
    private mutating func settle(now: Instant) -> [Action] {
        if isClosing { return slots.isEmpty ? [.finish] : [] }
        var actions: [Action] = []
        for (slot, state) in slots.sorted(by: { $0.key < $1.key }) where !waiters.isEmpty {
            guard case .idle(let session, let born, _) = state, let waiter = waiters.popFirst() else { continue }
            slots[slot] = .lent(session, born: born)
            actions.append(.grant(waiter: waiter.id, slot: slot, session))
        }
        if let connectAfter, now < connectAfter { return actions }
        let connecting = slots.values.count { if case .connecting = $0 { true } else { false } }
        // After a failure one try at a time is enough to find out.
        let wanted = failures > 0 ? min(1, missing) : missing
        for _ in 0..<max(0, wanted - connecting) {
            lastSlot += 1
            slots[lastSlot] = .connecting
            actions.append(.connect(slot: lastSlot))
        }
        return actions
    }

    /// Sessions that should be connecting now.
    private var missing: Int {
        let established = slots.values.count { if case .connecting = $0 { false } else { true } }
        let needed = max(waiters.count, options.minimumSessions - established)
        return min(needed, options.maximumSessions - established)
    }
}
