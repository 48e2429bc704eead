import Entitlements
import EventLoop
import Sync

/// Takes each request from the HTTP server to its route.
final class Gateway: Sendable {
    private let router: Router
    private let gatekeeper: Gatekeeper
    private let admission: Admission
    private let clock: any Clock
    private let desk: AnswerDesk

    init(
        routes: [Route], gatekeeper: Gatekeeper, admission: Admission, clock: any Clock, desk: AnswerDesk
    ) {
        router = Router(routes: routes)
        self.gatekeeper = gatekeeper
        self.admission = admission
        self.clock = clock
        self.desk = desk
    }

    /// Everything that is served.
    var routes: [Route] { router.routes }

    /// A request is complete. On its connection's loop.
    func handle(_ request: HTTPRequest, _ responder: HTTPResponder) {
        var ticket = Ticket(request, responder)
        do throws(Problem) {
            let (route, parameters) = try find(request)
            ticket.route = route.label
            ticket.accountTag = parameters[.account].flatMap(AccountID.init).map(Log.tag)
            let now = clock.now()
            let token = try gatekeeper.admit(request, to: route, parameters, at: now)
            try checkBody(request, route)
            try run(
                route.handler,
                Call(request: request, ticket: ticket, parameters: parameters, token: token, now: now))
        } catch {
            desk.refuse(ticket, error)
        }
    }

    private func find(_ request: HTTPRequest) throws(Problem) -> (Route, PathParameters) {
        switch router.match(method: request.method, segments: request.pathSegments) {
        case .route(let route, let parameters): return (route, parameters)
        case .nothing: throw Problem(.unknownRoute)
        case .otherMethods(let methods):
            var problem = Problem(.methodNotAllowed)
            problem.allowedMethods = methods
            throw problem
        }
    }

    private func checkBody(_ request: HTTPRequest, _ route: Route) throws(Problem) {
        guard case .json(let limit, let requiresMediaType) = route.body else { return }
        guard request.body.count <= limit else {
            throw Problem(.bodyTooLarge, "A body may have \(limit) bytes here, and this one has \(request.body.count).")
        }
        let mediaType = request.headers["Content-Type"]?.split(separator: ";").first?.lowercased()
        guard !requiresMediaType || mediaType == "application/json" else { throw Problem(.unsupportedMediaType) }
    }

    private func run(_ handler: Route.Handler, _ call: Call) throws(Problem) {
        switch handler {
        case .immediate(let body): desk.answer(call.ticket, try body(call))
        case .asynchronous(let body):
            try admission.enter()
            // The loop as the preferred executor: what is awaited without an actor of its own stays on the loop, too.
            Task(executorPreference: call.ticket.responder.loop) { [self] in
                defer { admission.leave() }
                do {
                    if case .answer(let answer) = try await body(call) { desk.answer(call.ticket, answer) }
                } catch {
                    desk.refuse(call.ticket, error)
                }
            }
        }
    }
}
