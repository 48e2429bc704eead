import Entitlements
import EventLoop
import Testing

@testable import Service

@Suite struct RouterTests {
    private static func route(_ method: String, _ template: StaticString) -> Route {
        Route(method, template, .anyone, .immediate { _ in .json([:]) })
    }

    private let router = Router(routes: [
        route("GET", "/healthz"), route("GET", "/v1/apps/{bundleId}/catalog"),
        route("PUT", "/v1/apps/{bundleId}/catalog"), route("DELETE", "/v1/apps/{bundleId}/grants/{id}"),
    ])

    private func match(_ method: String, _ path: String) -> Router.Match {
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        return router.match(method: method, segments: segments.map(String.init))
    }

    @Test func parametersAreTaken() {
        guard case .route(_, let parameters) = match("DELETE", "/v1/apps/com.example.app/grants/g1") else {
            Issue.record("no match")
            return
        }
        #expect(parameters[.bundleId] == "com.example.app" && parameters[.id] == "g1" && parameters[.account] == nil)
    }

    @Test func headIsAGet() {
        guard case .route(_, _) = match("HEAD", "/healthz") else {
            Issue.record("no match")
            return
        }
    }

    @Test func otherMethodsAreNamed() {
        guard case .otherMethods(let methods) = match("POST", "/v1/apps/x/catalog") else {
            Issue.record("no match")
            return
        }
        #expect(methods == ["GET", "HEAD", "PUT"])
    }

    @Test(arguments: ["/", "/healthz/", "/Healthz", "/v1/apps/x", "/v1/apps/x/catalog/y", "//healthz"])
    func elsewhereIsNothing(path: String) {
        guard case .nothing = match("GET", path) else {
            Issue.record("a match")
            return
        }
    }

    @Test func traceParentsAreTakenIfValid() {
        let good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        #expect(TraceParent(good)?.traceID == "4bf92f3577b34da6a3ce929d0e0e4736")
        for text in [
            nil, "", "x", good + "0", good.uppercased(), "01" + good.dropFirst(2),
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        ] {
            #expect(TraceParent(text) == nil, "\(text ?? "none")")
        }
        #expect(RequestID().description.count == 32)
    }
}
