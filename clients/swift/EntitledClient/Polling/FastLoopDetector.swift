import Entitlements

/// Notices a service, or something on the way to it, that answers the same again and again without holding.
struct FastLoopDetector: Sendable, Equatable {
    enum Verdict: Sendable, Equatable {
        case fine, slowDown
        /// Slowing down did not help; the cursor may be what is wrong. Said once.
        case dropCursor
    }

    private var recent: [Milliseconds] = []
    /// What these were answers to; nil is a fetch.
    private var cursor: String?
    private var loops = 0

    /// So many answers at one cursor within `window` are a loop.
    static let answers = 5
    static let window: Milliseconds = 500

    /// An answer to a request with this cursor, or without one.
    mutating func answered(to cursor: String?, at now: Milliseconds) -> Verdict {
        if cursor != self.cursor { recent.removeAll(keepingCapacity: true) }
        self.cursor = cursor
        recent.append(now)
        if recent.count > Self.answers { recent.removeFirst() }
        guard recent.count == Self.answers, now - recent[0] <= Self.window else { return .fine }
        recent.removeAll(keepingCapacity: true)
        loops += 1
        return loops == 2 ? .dropCursor : .slowDown
    }

    /// The service holds again.
    mutating func reset() { self = FastLoopDetector() }
}
