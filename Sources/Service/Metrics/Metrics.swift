import Synchronization

/// Counters of the service. Names and labels are fixed words: never an account, a token or a path.
final class Metrics: Sendable {
    /// What is counted besides requests, each by one label.
    enum Event: String, CaseIterable, Sendable {
        /// Signed objects by what came of them.
        case signedObjects
        /// Signed objects that were not believed or not taken, by the check that failed.
        case refusals
        /// Commands by what came of them.
        case commands
        /// Held polls by how they ended.
        case holds
        /// What made held polls be looked at.
        case wakes
        /// What should never be found: a change that only the sweep saw, a cursor ahead of the log.
        case alarms
    }

    /// What is measured besides requests.
    enum Measure: CaseIterable, Sendable {
        /// Events of one append.
        case appendEvents
        /// Seconds of one append, its commit included.
        case appendDuration
    }

    private struct Series: Hashable {
        let route: RouteLabel?
        let status: Int
    }

    private struct Counts {
        var requests: [Series: Int] = [:]
        var durations: [RouteLabel: Histogram] = [:]
        var events: [Event: [String: Int]] = [:]
        var measures: [Measure: Histogram] = [:]
    }

    private let counts = Mutex(Counts())

    /// A request was answered. Held polls count with the time they were held.
    func count(_ route: RouteLabel?, status: Int, duration: Duration) {
        counts.withLock { counts in
            counts.requests[Series(route: route, status: status), default: 0] += 1
            guard let route else { return }
            counts.durations[route, default: Histogram()].add(Double(duration.microseconds) / 1_000_000)
        }
    }

    /// Something happened.
    func count(_ event: Event, _ label: String, by count: Int = 1) {
        counts.withLock { $0.events[event, default: [:]][label, default: 0] += count }
    }

    /// Something was measured.
    func measure(_ measure: Measure, _ value: Double) {
        counts.withLock { $0.measures[measure, default: Histogram(bounds: measure.bounds)].add(value) }
    }

    /// A writer appended so many events, in so long.
    func appended(_ events: Int, in duration: Duration) {
        measure(.appendEvents, Double(events))
        measure(.appendDuration, Double(duration.microseconds) / 1_000_000)
    }

    /// The text of Prometheus' exposition format 0.0.4. `gauges` are values of the moment.
    func text(gauges: [Gauge]) -> String {
        let counts = counts.withLock { $0 }
        var page = MetricsPage()
        writeRequests(counts, to: &page)
        for event in Event.allCases {
            page.begin(event.metricName, "counter", event.help)
            for (label, count) in (counts.events[event] ?? [:]).sorted(by: { $0.key < $1.key }) {
                page.add([(event.labelName, label)], Double(count))
            }
        }
        for measure in Measure.allCases {
            page.begin(measure.metricName, "histogram", measure.help)
            page.add(counts.measures[measure] ?? Histogram(bounds: measure.bounds), [])
        }
        for gauge in gauges {
            page.begin(gauge.name, gauge.isCounter ? "counter" : "gauge", gauge.help)
            page.add([], gauge.value)
        }
        return page.text
    }

    private func writeRequests(_ counts: Counts, to page: inout MetricsPage) {
        func labels(_ route: RouteLabel?) -> [(String, String)] {
            [("method", route?.method ?? "none"), ("route", route?.template ?? "none")]
        }
        page.begin("entitled_requests_total", "counter", "Requests by route and status.")
        let requests = counts.requests.map { (labels($0.key.route) + [("status", String($0.key.status))], $0.value) }
        for (labels, count) in requests.sorted(by: { $0.0.map(\.1).lexicographicallyPrecedes($1.0.map(\.1)) }) {
            page.add(labels, Double(count))
        }
        page.begin("entitled_request_duration_seconds", "histogram", "Time from a complete request to its answer.")
        for (route, histogram) in counts.durations.sorted(by: {
            ($0.key.template, $0.key.method) < ($1.key.template, $1.key.method)
        }) {
            page.add(histogram, labels(route))
        }
    }
}
