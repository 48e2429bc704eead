import Synchronization

/// What a server is doing and has done, at one moment.
public struct HTTPServerCounters: Sendable, Equatable {
    /// Connections open now, idle ones included.
    public var openConnections = 0
    /// Requests whose handler has returned without an answer: held ones.
    public var heldRequests = 0
    /// Requests given to the handler since the start.
    public var requests = 0
    /// Requests the server refused itself since the start.
    public var refusedRequests = 0
    /// Clients that left before they were answered, since the start.
    public var clientsGone = 0
}

/// The counters, shared by all loops of a server.
final class HTTPCounters: Sendable {
    let openConnections = Atomic<Int>(0)
    let heldRequests = Atomic<Int>(0)
    let requests = Atomic<Int>(0)
    let refusedRequests = Atomic<Int>(0)
    let clientsGone = Atomic<Int>(0)

    var snapshot: HTTPServerCounters {
        HTTPServerCounters(
            openConnections: openConnections.load(ordering: .relaxed),
            heldRequests: heldRequests.load(ordering: .relaxed),
            requests: requests.load(ordering: .relaxed),
            refusedRequests: refusedRequests.load(ordering: .relaxed),
            clientsGone: clientsGone.load(ordering: .relaxed))
    }
}

extension Atomic where Value == Int {
    /// Adds, and hands back the sum.
    @discardableResult
    borrowing func count(_ step: Int = 1) -> Int { wrappingAdd(step, ordering: .relaxed).newValue }
}
