import Synchronization

/// Counts requests that wait for the database and refuses more than it could serve in time, before they cost anything.
final class Admission: Sendable {
    private let limit: Int
    private let count = Atomic<Int>(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// Requests admitted now.
    var inFlight: Int { count.load(ordering: .relaxed) }

    /// Admits a request, which must `leave` in the end, or throws `overloaded`.
    func enter() throws(Problem) {
        guard count.add(1, ordering: .relaxed).newValue <= limit else {
            leave()
            throw Problem(.overloaded, retryAfter: Problem.spreadWait)
        }
    }

    /// A request is done.
    func leave() {
        count.subtract(1, ordering: .relaxed)
    }
}
