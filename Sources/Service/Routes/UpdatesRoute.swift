import Entitlements
import EventLog
import EventLoop
import Sync

/// `GET …/updates`: what happened to an account, in order, held while there is nothing new.
struct UpdatesRoute {
    let backend: Backend

    private static let defaultLimit: Int64 = 100

    var routes: [Route] {
        [
            Route(
                "GET", "/v1/apps/{bundleId}/accounts/{account}/updates",
                .scopes([.device, .backend, .support, .admin]),
                .asynchronous { call in try await updates(call) })
        ]
    }

    private func updates(_ call: Call) async throws -> Reply {
        let app = try backend.app(call)
        let account = try call.account()
        let environment = try call.environment(of: app.terms.environments)
        let isDevice = call.token?.scope == .device
        let query = UpdatesQuery(
            after: try call.integer("after", in: 0...Int64.max) ?? 0,
            limit: Int(try call.integer("limit", in: UpdatesQuery.limits) ?? Self.defaultLimit),
            audience: isDevice ? .device : .support)
        let wait = try call.integer("wait", in: PollRequest.waits)
        let installation = try ViewForm.installation(call.request.headers)
        if isDevice { try await backend.engine.authenticated(account, app: app) }
        let key = StreamKey(app: app.number, environment: environment, account: account)
        guard let wait,
            try await backend.engine.version(of: account, environment: environment, app: app) == query.after
        else { return .answer(try await query.answer(for: key, backend.engine)) }
        // Another name than that of the device's poll for its view, which this one must not take over.
        let request = PollRequest(
            poll: HeldPoll(ticket: call.ticket, key: key, wants: .updates(query)),
            cursor: cursor(of: query, key, app, call.now), wait: PollRequest.spread(wait),
            device: installation.flatMap { ViewForm.device("updates " + $0) })
        try await backend.driver(on: call.ticket.responder.loop).park(request)
        return .held
    }

    /// The hold waits for an event behind the number; its place in the order of views is that of one that has seen as much.
    private func cursor(of query: UpdatesQuery, _ key: StreamKey, _ app: ServedApp, _ now: Milliseconds) -> Cursor {
        let log = backend.engine.terms.log
        let order = ViewOrder(
            epoch: log.epoch, activation: app.activation(of: log), version: query.after, asOf: now)
        return Cursor(order: order, streamTag: key.id.tag, nextChangeAt: nil)
    }
}
