import Entitlements

/// The long-poll as a state machine: no I/O, no clock, no randomness of its own. Its owner tells it what happened and does
/// what it answers. One request or one timer is out at any time, never both, never two.
///
/// Every state by every event: the table under "Polling" of `clients/PROTOCOL.md`, which a test reads and tries cell by cell.
struct PollMachine: Sendable, Equatable {
    enum State: Sendable, Equatable {
        /// Not started, or stopped. Left by `start`.
        case idle
        /// A request that is answered at once is out. Left by its end, or `stop`.
        case fetching
        /// A request that may be held is out. Left by its end, `stop`, or `wake`.
        case holding(since: Milliseconds, seconds: Int)
        /// A pause that the service asked for with a good answer. Left by its timer, or `stop`.
        case pacing
        /// A pause after a failure. Left by its timer, or `stop`.
        case backingOff
        /// A pause because nobody is reached. Left by its timer, `wake`, or `stop`.
        case offline
        /// A pause because the service is about to go. Left by its timer, or `stop`.
        case draining
        /// A new token is being asked for. Left by a token event, or `stop`.
        case refreshing
        /// No token is taken. Left by `wake`, or `stop`.
        case authFailed
    }

    /// What an answer says about the next request.
    struct Answer: Sendable, Equatable {
        /// Where to go on: it moves with a 204 as well.
        var cursor: String
        /// Until when the signed snapshot serves, from now; nil with a 204.
        var refreshAfter: Milliseconds?
        /// The pause that the service asks for.
        var pause: Milliseconds = 0
        /// Whether the connection was closed with it.
        var closes = false
    }

    enum Event: Sendable, Equatable {
        case start(cursor: String?, refreshAfter: Milliseconds)
        case stop
        /// 200 with a view that was believed (or is older than ours), or 204.
        case answered(Answer)
        /// 200 with a view that was not believed.
        case unverified
        /// A refusal of the service.
        case failed(retryAfter: Milliseconds)
        /// No answer, or one that the service did not write.
        case unreachable
        /// 401.
        case unauthorized
        case tokenRefreshed
        case tokenRefused
        case tokenUnavailable
        case timer
        /// The network is back, the device woke up, a person signed in, or wants it now.
        case wake
    }

    enum Action: Sendable, Equatable {
        /// Ask without a cursor.
        case fetch
        /// Ask with this cursor and be held so many seconds.
        case hold(cursor: String, seconds: Int)
        /// Give up the request that is out; what it brings no longer counts.
        case cancelRequest
        case startTimer(after: Milliseconds)
        case cancelTimer
        case refreshToken
        /// For the log: answers came in a fast loop.
        case reportFastLoop
    }

    private(set) var state = State.idle
    private(set) var cursor: String?
    private var refreshAt: Milliseconds = 0
    /// Whether the service has answered since the start, or since it was last not reached.
    private(set) var isReached = false
    /// Whether the path has carried a hold since then.
    private var carriesHolds = false
    /// The cursor of the request that is out; nil for a fetch.
    private var sentCursor: String?
    private var backoff = Backoff()
    private var holdSeconds: Int
    private let longestHold: Int
    private var triedToken = false
    private var fastLoop = FastLoopDetector()

    /// A hold that lived so long shows that the path works.
    static let steadyHold: Milliseconds = 10_000
    /// The first new connection after one was lost comes within this, spread.
    static let reconnectSpread: Double = 5_000

    init(holdSeconds: Int) {
        longestHold = holdSeconds
        self.holdSeconds = holdSeconds
    }

    /// Where a push's answer says that polls go on.
    mutating func moveCursor(_ cursor: String, refreshAt: Milliseconds) {
        self.cursor = cursor
        self.refreshAt = refreshAt
    }

    /// Tells what happened. `jitter` is a fresh random number in `[0, 1)`; `now` is monotonic.
    mutating func handle(_ event: Event, at now: Milliseconds, jitter: Double) -> [Action] {
        switch (state, event) {
        case (.idle, .start(let cursor, let refreshAfter)):
            self.cursor = cursor
            refreshAt = now + refreshAfter
            isReached = false
            carriesHolds = false
            triedToken = false
            // What cut holds before may be gone with the network of that time.
            holdSeconds = longestHold
            return [request(at: now)]
        case (.idle, _), (_, .start): return []
        case (_, .stop): return stop()
        case (.fetching, _), (.holding, _): return requestEnded(event, at: now, jitter: jitter)
        case (.pacing, .timer), (.backingOff, .timer), (.offline, .timer), (.draining, .timer):
            return [request(at: now)]
        case (.offline, .wake): return [.cancelTimer, request(at: now)]
        case (.refreshing, .tokenRefreshed): return [request(at: now)]
        case (.refreshing, .tokenRefused):
            state = .authFailed
            return []
        case (.refreshing, .tokenUnavailable):
            triedToken = false
            return pause(.offline, for: backoff.next(jitter: jitter))
        case (.authFailed, .wake):
            state = .refreshing
            return [.refreshToken]
        case (.pacing, _), (.backingOff, _), (.offline, _), (.draining, _), (.refreshing, _), (.authFailed, _):
            return []
        }
    }
}

extension PollMachine {
    private mutating func request(at now: Milliseconds) -> Action {
        guard let cursor, now < refreshAt else {
            sentCursor = nil
            state = .fetching
            return .fetch
        }
        // A hold ends when the snapshot should be signed anew.
        let untilRefresh = Int(clamping: (refreshAt - now + 999) / 1000)
        // The first one is short: a silence of a minute would not tell a held poll from a dead path.
        let seconds = carriesHolds ? max(1, min(holdSeconds, untilRefresh)) : 1
        sentCursor = cursor
        state = .holding(since: now, seconds: seconds)
        return .hold(cursor: cursor, seconds: seconds)
    }

    private mutating func pause(_ state: State, for duration: Milliseconds) -> [Action] {
        self.state = state
        return [.startTimer(after: duration)]
    }

    private mutating func stop() -> [Action] {
        defer { state = .idle }
        return switch state {
        case .fetching, .holding, .refreshing: [.cancelRequest]
        case .pacing, .backingOff, .offline, .draining: [.cancelTimer]
        case .idle, .authFailed: []
        }
    }

    /// How long the hold that is out has lived; nil for a fetch.
    private func holdAge(at now: Milliseconds) -> Milliseconds? {
        if case .holding(let since, _) = state { now - since } else { nil }
    }

    /// A hold that lived so long resets what failures have raised. Where shorter ones were learned, none lives ten seconds.
    private var proof: Milliseconds { min(Self.steadyHold, Milliseconds(holdSeconds) * 800) }

    private mutating func requestEnded(_ event: Event, at now: Milliseconds, jitter: Double) -> [Action] {
        let age = holdAge(at: now)
        if let age, age >= proof, event.endsRequest {
            backoff.reset()
            fastLoop.reset()
        }
        switch event {
        case .answered(let answer): return answered(answer, at: now, jitter: jitter)
        case .unverified: return pause(.backingOff, for: backoff.next(jitter: jitter))
        case .failed(let retryAfter):
            return pause(.backingOff, for: backoff.next(jitter: jitter, atLeast: retryAfter))
        case .unreachable: return lostConnection(age: age, jitter: jitter)
        case .unauthorized:
            guard !triedToken else {
                state = .authFailed
                return []
            }
            triedToken = true
            state = .refreshing
            return [.refreshToken]
        case .wake where (age ?? 0) >= Self.steadyHold: return [.cancelRequest, request(at: now)]
        default: return []
        }
    }

    private mutating func answered(_ answer: Answer, at now: Milliseconds, jitter: Double) -> [Action] {
        triedToken = false
        isReached = true
        if case .holding = state { carriesHolds = true }
        cursor = answer.cursor
        if let refreshAfter = answer.refreshAfter { refreshAt = now + refreshAfter }
        if answer.closes {
            return pause(.draining, for: max(answer.pause, Milliseconds(Self.reconnectSpread * jitter)))
        }
        let verdict = fastLoop.answered(to: sentCursor, at: now)
        guard verdict == .fine else {
            if verdict == .dropCursor { cursor = nil }
            let floor = max(answer.pause, Backoff.first)
            return [.reportFastLoop] + pause(.backingOff, for: backoff.next(jitter: jitter, atLeast: floor))
        }
        if answer.pause > 0 { return pause(.pacing, for: answer.pause) }
        return [request(at: now)]
    }

    private mutating func lostConnection(age: Milliseconds?, jitter: Double) -> [Action] {
        isReached = false
        carriesHolds = false
        guard let age else { return pause(.offline, for: backoff.next(jitter: jitter)) }
        // Something on the way cuts what is held so long: ask for less from now on.
        if age >= Self.steadyHold { holdSeconds = min(holdSeconds, Int(age * 4 / 5000)) }
        // Only what was a live path a moment ago is tried again soon; after that the doubling counts.
        guard backoff.failures == 0 else { return pause(.offline, for: backoff.next(jitter: jitter)) }
        backoff.count()
        return pause(.offline, for: Milliseconds(Self.reconnectSpread * jitter))
    }
}

extension PollMachine.Event {
    /// Whether the request that was out is over by it.
    fileprivate var endsRequest: Bool {
        switch self {
        case .answered, .unverified, .failed, .unreachable, .unauthorized: true
        case .start, .stop, .tokenRefreshed, .tokenRefused, .tokenUnavailable, .timer, .wake: false
        }
    }
}
