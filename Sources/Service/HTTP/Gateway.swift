import Entitlements
import EventLoop
import Sync

/// Takes each request from the HTTP server to its route, and each answer back, past the log and the metrics.
final class Gateway: Sendable {
    private let router: Router
    private let gatekeeper: Gatekeeper
    private let admission: Admission
    private let clock: any Clock
    private let log: Log
    private let metrics: Metrics

    init(
        routes: [Route], gatekeeper: Gatekeeper, admission: Admission, clock: any Clock, log: Log, metrics: Metrics
    ) {
        router = Router(routes: routes)
        self.gatekeeper = gatekeeper
        self.admission = admission
        self.clock = clock
        self.log = log
        self.metrics = metrics
    }

    /// A request is complete. On its connection's loop.
    func handle(_ request: HTTPRequest, _ responder: HTTPResponder) {
        var ticket = Ticket(request, responder)
        do throws(Problem) {
            let (index, parameters) = try find(request)
            ticket.route = index
            ticket.accountTag = parameters[.account].flatMap(AccountID.init).map(Log.tag)
            let route = router.routes[index]
            let now = clock.now()
            let token = try gatekeeper.admit(request, to: route, parameters, at: now)
            try checkBody(request, route)
            let call = Call(request: request, ticket: ticket, parameters: parameters, token: token, now: now)
            try run(route.handler, call)
        } catch {
            finish(ticket, error)
        }
    }

    private func find(_ request: HTTPRequest) throws(Problem) -> (Int, PathParameters) {
        switch router.match(method: request.method, segments: request.pathSegments) {
        case .route(let index, let parameters): return (index, parameters)
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
        case .immediate(let body): finish(call.ticket, try body(call))
        case .asynchronous(let body):
            try admission.enter()
            Task(executorPreference: call.ticket.responder.loop) { [self] in
                defer { admission.leave() }
                do {
                    if case .answer(let answer) = try await body(call) { finish(call.ticket, answer) }
                } catch let problem as Problem {
                    finish(call.ticket, problem)
                } catch {
                    fail(call.ticket, error)
                }
            }
        }
    }

    // MARK: - Out

    /// Sends an answer. From any thread.
    func finish(_ ticket: Ticket, _ answer: Answer) {
        var response = answer.response
        response.headers.append(HTTPResponse.Header("Request-Id", ticket.id.description))
        if let trace = ticket.trace { response.headers.append(HTTPResponse.Header("traceparent", trace.text)) }
        ticket.responder.send(response)
        record(ticket, status: response.status, code: nil, outcomes: answer.outcomes)
    }

    /// Sends a refusal. From any thread.
    func finish(_ ticket: Ticket, _ problem: Problem) {
        var response = problem.response(requestID: ticket.id.description)
        response.headers.append(HTTPResponse.Header("Request-Id", ticket.id.description))
        if let trace = ticket.trace { response.headers.append(HTTPResponse.Header("traceparent", trace.text)) }
        ticket.responder.send(response)
        record(ticket, status: response.status, code: problem.code, outcomes: [:])
    }

    /// An error that no handler foresaw. Its text may hold data, so the log gets its type only.
    private func fail(_ ticket: Ticket, _ error: any Error) {
        log.write(.error, "unexpectedError") { writer in
            writer.member("requestId", ticket.id.description)
            writer.member("type", String(describing: type(of: error)))
        }
        finish(ticket, Problem(.internalError))
    }

    /// The client left before it was answered.
    func left(_ ticket: Ticket) {
        record(ticket, status: 499, code: nil, outcomes: [:])
    }

    private func record(_ ticket: Ticket, status: Int, code: ProblemCode?, outcomes: [String: Int]) {
        let route = ticket.route.map { router.routes[$0] }
        let duration = ticket.responder.loop.now - ticket.startedAt
        metrics.count(route: ticket.route, status: status, duration: duration)
        log.write(status >= 500 ? .warning : .info, "request") { writer in
            writer.member("requestId", ticket.id.description)
            if let trace = ticket.trace { writer.member("traceId", trace.traceID) }
            if let route { writer.member("method", route.method) }
            writer.member("route", route?.pattern.template)
            writer.member("status", Int64(status))
            if let code { writer.member("code", code.rawValue) }
            writer.member("durationUs", duration.microseconds)
            if let tag = ticket.accountTag { writer.member("account", tag) }
            guard !outcomes.isEmpty else { return }
            writer.name("outcomes")
            writer.object { writer in
                for (outcome, count) in outcomes.sorted(by: { $0.key < $1.key }) {
                    writer.member(outcome, Int64(count))
                }
            }
        }
    }
}

extension Duration {
    /// Whole microseconds, rounded down.
    var microseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }
}
