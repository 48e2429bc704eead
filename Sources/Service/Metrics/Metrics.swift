import Synchronization

/// Counters of the service. Names and labels are fixed words: never an account, a token or a path.
final class Metrics: Sendable {
    private struct Series: Hashable {
        let route: Int?
        let status: Int
    }

    private struct Requests {
        var counts: [Series: Int] = [:]
        /// Requests answered within each bound, held polls left out, by route.
        var durations: [Int: Histogram] = [:]
        var events: [Event: [String: Int]] = [:]
    }

    /// What is counted besides requests, each by one label.
    enum Event: String, CaseIterable, Sendable {
        /// Signed objects by what came of them.
        case signedObjects
        /// Commands by what came of them.
        case commands
        /// Held polls by how they ended.
        case holds
    }

    private let requests = Mutex(Requests())

    func count(route: Int?, status: Int, duration: Duration) {
        requests.withLock { requests in
            requests.counts[Series(route: route, status: status), default: 0] += 1
            guard let route else { return }
            requests.durations[route, default: Histogram()].add(Double(duration.microseconds) / 1_000_000)
        }
    }

    func count(_ event: Event, _ label: String, by count: Int = 1) {
        requests.withLock { $0.events[event, default: [:]][label, default: 0] += count }
    }

    /// The text of Prometheus' exposition format 0.0.4. `gauges` are values of the moment.
    func text(routes: [Route], gauges: [Gauge]) -> String {
        let (counts, durations, events) = requests.withLock { ($0.counts, $0.durations, $0.events) }
        var page = MetricsPage()
        page.begin("entitled_requests_total", "counter", "Requests by route and status.")
        for (series, count) in counts.sorted(by: {
            ($0.key.route ?? -1, $0.key.status) < ($1.key.route ?? -1, $1.key.status)
        }) {
            let route = series.route.map { routes[$0] }
            page.add(
                [
                    ("method", route?.method ?? "none"), ("route", route?.pattern.template ?? "none"),
                    ("status", String(series.status)),
                ], Double(count))
        }
        page.begin("entitled_request_duration_seconds", "histogram", "Time from a complete request to its answer.")
        for (index, histogram) in durations.sorted(by: { $0.key < $1.key }) {
            page.add(histogram, [("method", routes[index].method), ("route", routes[index].pattern.template)])
        }
        for (event, name, help) in [
            (Event.signedObjects, "entitled_signed_objects_total", "Signed objects by outcome."),
            (.commands, "entitled_commands_total", "Commands of accounts and operators by outcome."),
            (.holds, "entitled_holds_ended_total", "Held polls by how they ended."),
        ] {
            page.begin(name, "counter", help)
            for (label, count) in (events[event] ?? [:]).sorted(by: { $0.key < $1.key }) {
                page.add([("outcome", label)], Double(count))
            }
        }
        for gauge in gauges {
            page.begin(gauge.name, gauge.isCounter ? "counter" : "gauge", gauge.help)
            page.add([], gauge.value)
        }
        return page.text
    }
}

/// A number read at the moment of asking.
struct Gauge: Sendable {
    let name: String
    let help: String
    let value: Double
    /// Whether it only grows.
    var isCounter = false
}
