import Entitlements
import EventLoop
import Signatures

/// Answers the App Store Server API over HTTP: token, limits, faults on demand, then the endpoint.
struct ServerAPIDesk {
    let simulator: Simulator

    func handle(_ request: HTTPRequest, _ path: [String], _ responder: HTTPResponder) {
        guard simulator.tokenCheck.admits(request.headers["Authorization"], at: MachineClock.now()) else {
            return responder.send(HTTPResponse(status: 401))
        }
        guard let (route, places) = APIRoute.find(request.method, path) else {
            return responder.send(HTTPResponse(status: 404))
        }
        let question = APIRequest(
            method: request.method, path: path,
            query: request.query.names.isEmpty ? [] : Self.parameters(of: request.query), body: request.body)
        do {
            let (response, delay) = try answer(route, places, question)
            guard let response else { return }
            guard let delay else { return responder.send(response) }
            responder.loop.schedule(after: .milliseconds(delay)) { responder.send(response) }
        } catch {
            responder.send(Self.error(ServerAPIError.fault(5_000_000)))
        }
    }

    /// Nil: no answer, ever.
    private func answer(
        _ route: APIRoute, _ places: [String], _ question: APIRequest
    ) throws -> (HTTPResponse?, delay: Milliseconds?) {
        try simulator.step { state in
            let machine = MachineClock.now()
            if let retryAt = state.limits.admit(route, at: machine) { return (Self.limited(retryAt), nil) }
            let fault = state.takeFault()
            switch fault?.kind {
            case .status: return (Self.failure(fault ?? APIFault(), machine), nil)
            case .html: return (Self.html(200), nil)
            case .timeout: return (nil, nil)
            case .cut, .slow, .endlessPaging, nil: break
            }
            var response: HTTPResponse
            do {
                let answer = try state.core.answer(route, places, question)
                try state.recordAPIActs()
                response = Self.response(answer, pagesForEver: fault?.kind == .endlessPaging)
            } catch let error as ServerAPIError {
                response = Self.error(error)
            }
            if fault?.kind == .cut { response.body = Array(response.body.prefix(response.body.count / 2)) }
            return (response, fault?.kind == .slow ? fault?.delay : nil)
        }
    }

    private static func parameters(of query: HTTPQuery) -> [(name: String, value: String)] {
        var seen: Set<String> = []
        return query.names.filter { seen.insert($0).inserted }.flatMap { name in
            query.values(of: name).map { (name, $0) }
        }
    }

    private static func response(_ answer: APIAnswer, pagesForEver: Bool) -> HTTPResponse {
        guard var body = answer.body else { return HTTPResponse(status: answer.status) }
        if pagesForEver, body["hasMore"] != nil { body["hasMore"] = true }
        return .json(body, status: answer.status)
    }

    private static func error(_ error: ServerAPIError) -> HTTPResponse {
        .json(["errorCode": .integer(error.code), "errorMessage": .string(error.message)], status: error.status)
    }

    /// `Retry-After` is an instant in milliseconds, not a span in seconds.
    private static func limited(_ retryAt: Milliseconds) -> HTTPResponse {
        var response = error(.rateLimit)
        response.headers.append(HTTPResponse.Header("Retry-After", "\(retryAt)"))
        return response
    }

    private static func failure(_ fault: APIFault, _ machine: Milliseconds) -> HTTPResponse {
        if fault.status == 429 { return limited(machine + fault.delay) }
        if fault.status == 401 { return HTTPResponse(status: 401) }
        if fault.isOfProxy { return html(Int(fault.status)) }
        var response = error(.fault(fault.errorCode))
        response.status = Int(fault.status)
        return response
    }

    private static func html(_ status: Int) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [HTTPResponse.Header("Content-Type", "text/html")],
            body: Array("<html><body><h1>Please try again later</h1></body></html>".utf8))
    }
}

extension Simulator.State {
    /// The fault that this call meets.
    mutating func takeFault() -> APIFault? {
        guard let fault = apiFault, fault.count != 0, core.random.chance(fault.rate) else { return nil }
        if let count = fault.count { apiFault?.count = count - 1 }
        return fault
    }

    mutating func recordAPIActs() throws {
        for act in core.acts { try recorder?.note(act, at: core.store.now) }
        core.acts = []
    }
}
