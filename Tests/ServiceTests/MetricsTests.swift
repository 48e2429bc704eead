import Entitlements
import Foundation
import TestSupport
import Testing

@testable import Service

@Suite struct MetricsTests {
    private let route = RouteLabel(method: "GET", template: "/v1/apps/{bundleId}/catalog")

    @Test func pageFollowsTheFormat() {
        let metrics = Metrics()
        metrics.count(route, status: 200, duration: .milliseconds(3))
        metrics.count(route, status: 200, duration: .seconds(900))
        metrics.count(nil, status: 404, duration: .zero)
        metrics.count(.signedObjects, "recorded", by: 2)
        metrics.count(.wakes, "tail", by: 3)
        metrics.count(.refusals, "chain")
        metrics.appended(7, in: .milliseconds(2))
        let page = metrics.text(gauges: [Gauge(name: "entitled_holds", help: "Held polls.", value: 3)])
        let lines = page.split(separator: "\n").map(String.init)
        let labels = #"method="GET",route="/v1/apps/{bundleId}/catalog""#
        for line in [
            #"entitled_requests_total{\#(labels),status="200"} 2"#,
            #"entitled_requests_total{method="none",route="none",status="404"} 1"#,
            #"entitled_request_duration_seconds_bucket{\#(labels),le="0.0025"} 0"#,
            #"entitled_request_duration_seconds_bucket{\#(labels),le="0.005"} 1"#,
            #"entitled_request_duration_seconds_bucket{\#(labels),le="+Inf"} 2"#,
            #"entitled_request_duration_seconds_count{\#(labels)} 2"#,
            #"entitled_signed_objects_total{outcome="recorded"} 2"#, "entitled_holds 3", "# TYPE entitled_holds gauge",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
        for line in [
            #"entitled_wakes_total{cause="tail"} 3"#, #"entitled_refused_signed_objects_total{reason="chain"} 1"#,
            #"entitled_append_events_bucket{le="10.0"} 1"#, "entitled_append_events_sum 7",
            #"entitled_append_duration_seconds_bucket{le="0.0025"} 1"#, "entitled_append_duration_seconds_count 1",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
        let names = lines.filter { $0.hasPrefix("# TYPE") }.map { $0.split(separator: " ")[2] }
        #expect(Set(names).count == names.count, "a name has one TYPE line")
    }

    /// A dashboard or an alert that asks for a name that is not served stays empty for ever.
    @Test func dashboardAndAlertsAskForWhatIsServed() async throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        try await withRunningService { service in
            let reply = try await ServiceClient.scope(.metrics, of: service).send("GET", "/metrics")
            let page = String(decoding: reply.body, as: UTF8.self)
            let served = Set(page.matches(of: /(?m)^# TYPE (\S+) (\S+)$/).map { String($0.1) })
            #expect(served.isSuperset(of: ["entitled_holds", "entitled_connections", "process_open_fds"]))
            for file in ["deploy/grafana/entitled.json", "deploy/prometheus/alerts.yml"] {
                let text = try String(contentsOf: root.appending(path: file), encoding: .utf8)
                let asked = text.matches(of: /\b(?:entitled|process)_[a-z_]+/).map { match in
                    String(match.0).replacing(/_(bucket|sum|count)$/, with: "")
                }
                #expect(asked.count > 5)
                #expect(Set(asked).subtracting(served) == [], "\(file)")
            }
        }
    }
}
