import Synchronization

/// How many polls may be held by all loops together: connections are spread over loops by chance, not evenly.
final class HoldRoom: Sendable {
    /// Polls at a time.
    let limit: Int
    private let held = Atomic<Int>(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// Whether one more may be held.
    var isFree: Bool { held.load(ordering: .relaxed) < limit }

    /// A loop holds that many more, or fewer.
    func count(_ change: Int) {
        if change != 0 { held.add(change, ordering: .relaxed) }
    }
}
