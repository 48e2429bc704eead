import EventLoop
import Sync
import Synchronization

/// Numbers that are read at the moment of asking.
final class LiveGauges: Sendable {
    private let drivers: [HoldDriver]
    private let admission: Admission
    private let engine: SyncEngine
    private let tail: TailFollower
    private let holdsLimit: Int
    /// The server is started last.
    private let server = Mutex<(@Sendable () -> HTTPServerCounters)?>(nil)

    init(drivers: [HoldDriver], admission: Admission, engine: SyncEngine, tail: TailFollower, holdsLimit: Int) {
        self.drivers = drivers
        self.admission = admission
        self.engine = engine
        self.tail = tail
        self.holdsLimit = holdsLimit
    }

    /// The server is there.
    func follow(_ counters: @escaping @Sendable () -> HTTPServerCounters) {
        server.withLock { $0 = counters }
    }

    /// What they are now.
    func read() async -> [Gauge] {
        var holds = 0
        for driver in drivers { holds += await driver.count }
        var gauges = [
            Gauge(name: "entitled_holds", help: "Polls held now.", value: Double(holds)),
            Gauge(name: "entitled_holds_limit", help: "Polls that may be held.", value: Double(holdsLimit)),
            Gauge(
                name: "entitled_requests_in_flight", help: "Requests waiting for the database.",
                value: Double(admission.inFlight)),
        ]
        gauges += await writing()
        gauges += await following()
        if let counters = server.withLock({ $0 })?() { gauges += Self.connections(counters) }
        return gauges + ProcessGauges.read()
    }

    private func writing() async -> [Gauge] {
        let writers = await engine.writerStatistics
        return [
            Gauge(
                name: "entitled_append_queue", help: "Commands waiting for a writer.",
                value: Double(writers.reduce(0) { $0 + $1.waiting })),
            Gauge(
                name: "entitled_append_conflicts_total", help: "Commands decided again because a stream had moved.",
                value: Double(writers.reduce(0) { $0 + $1.conflicts }), isCounter: true),
        ]
    }

    private func following() async -> [Gauge] {
        let age = ContinuousClock.now - (await tail.lastRead)
        return [
            Gauge(
                name: "entitled_log_holes_total", help: "Holes found in lanes of the log: 0, or it is damaged.",
                value: Double(await tail.holes), isCounter: true),
            Gauge(
                name: "entitled_tail_age_seconds", help: "Time since what others append was last read.",
                value: Double(age.microseconds) / 1_000_000),
        ]
    }

    private static func connections(_ counters: HTTPServerCounters) -> [Gauge] {
        [
            Gauge(
                name: "entitled_connections", help: "Open connections.", value: Double(counters.openConnections)),
            Gauge(
                name: "entitled_malformed_requests_total",
                help: "Requests that were refused before they had a route.", value: Double(counters.refusedRequests),
                isCounter: true),
        ]
    }
}
