import Entitlements

/// Notices a service, or something on the way to it, that answers the same again and again without holding.
struct FastLoopDetector: Sendable, Equatable {
    enum Verdict: Sendable, Equatable {
        case fine, slowDown
        /// Slowing down did not help; the cursor may be what is wrong. Said once.
        case dropCursor
    }

    private var recent: [Milliseconds] = []
    private var loops = 0

    /// So many answers at one cursor within `window` are a loop.
    static let answers = 5
    static let window: Milliseconds = 500

    mutating func answered(sameCursor: Bool, at now: Milliseconds) -> Verdict {
        if !sameCursor { recent.removeAll(keepingCapacity: true) }
        recent.append(now)
        if recent.count > Self.answers { recent.removeFirst() }
        guard recent.count == Self.answers, now - recent[0] <= Self.window else { return .fine }
        recent.removeAll(keepingCapacity: true)
        loops += 1
        return loops == 2 ? .dropCursor : .slowDown
    }
}
