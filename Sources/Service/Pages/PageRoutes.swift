import Entitlements
import EventLoop

/// What is served as it is: the description of all routes, and the web console, which asks the other routes.
struct PageRoutes {
    private static let description = "openapi.json"
    private static let console = "index.html"

    var routes: [Route] {
        [
            Route(
                "GET", "/openapi.json", .anyone, .immediate { call throws(Problem) in try page(Self.description, call) }
            ),
            Route("GET", "/admin", .anyone, .immediate { call throws(Problem) in try page(Self.console, call) }),
            Route(
                "GET", "/admin/{file}", .anyone,
                .immediate { call throws(Problem) in
                    guard let file = call.parameters[.file], file != Self.description, file != Self.console else {
                        throw Problem(.unknownRoute)
                    }
                    return try page(file, call)
                }),
        ]
    }

    private func page(_ name: String, _ call: Call) throws(Problem) -> Answer {
        guard let page = Page.all[name] else { throw Problem(.unknownRoute) }
        return page.answer(to: call.request)
    }
}
