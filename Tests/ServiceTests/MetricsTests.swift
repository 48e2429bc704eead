import Entitlements
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
        let names = lines.filter { $0.hasPrefix("# TYPE") }.map { $0.split(separator: " ")[2] }
        #expect(Set(names).count == names.count, "a name has one TYPE line")
    }
}
