import Entitlements
import EventLog
import EventLoop
import Sync

/// `GET …/entitlements`: the view now, held until it changes, or at another time.
struct ViewRoutes {
    let backend: Backend

    private static let defaultWait: Int64 = 50

    var routes: [Route] {
        [
            Route(
                "GET", "/v1/apps/{bundleId}/accounts/{account}/entitlements",
                .scopes([.device, .backend, .support, .admin]),
                .asynchronous { call in try await entitlements(call) })
        ]
    }

    private func entitlements(_ call: Call) async throws -> Reply {
        let app = try backend.app(call)
        let account = try call.account()
        let environment = try call.environment(of: app.terms.environments)
        let at = try call.instant("at")
        let knownAt = try call.instant("knownAt")
        if at != nil || knownAt != nil {
            guard call.token?.scope != .device else {
                throw Problem(
                    .forbiddenScope, "The parameters at and knownAt need a token of an operator or a backend.")
            }
            guard try ViewForm(call.request.headers) == .plain else {
                throw Problem(
                    .invalidParameter,
                    "A view of another time is not signed: leave out application/jose, or at and knownAt.")
            }
            let snapshot = try await backend.engine.snapshot(
                of: account, environment: environment, app: app, at: at ?? call.now, knownAt: knownAt)
            return .answer(.json(past(snapshot)))
        }
        if call.token?.scope == .device { try await backend.engine.authenticated(account, app: app) }
        let key = StreamKey(app: app.number, environment: environment, account: account)
        let form = try ViewForm(call.request.headers)
        let wait = try call.integer("wait", in: PollRequest.waits)
        let cursor = try call.query("cursor").flatMap { seen($0, key) }
        if let cursor, try await isCurrent(cursor, call) {
            try await park(
                call, HeldPoll(ticket: call.ticket, key: key, wants: .view(form)), cursor, wait ?? Self.defaultWait)
            return .held
        }
        let view = try await backend.engine.view(
            of: account, environment: environment, app: app, seen: cursor?.order)
        if cursor == nil, backend.presenter.matches(call.request.headers["If-None-Match"], view, form) {
            return .answer(backend.presenter.notModified(view, form))
        }
        return .answer(try backend.presenter.answer(view, form, seen: cursor?.order, now: call.now))
    }

    /// A view of another time has no place in the order of views, so no cursor.
    private func past(_ snapshot: Snapshot) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("snapshot")
            snapshot.write(to: &writer)
        }
        return writer.bytes
    }

    /// A cursor that does not decode or is another stream's counts as none.
    private func seen(_ text: String, _ key: StreamKey) -> Cursor? {
        backend.presenter.cursors.decode(text).flatMap { $0.streamTag == key.id.tag ? $0 : nil }
    }

    /// Whether what the client has seen may still be the newest: else it is answered at once.
    private func isCurrent(_ cursor: Cursor, _ call: Call) async throws -> Bool {
        func rank() throws(Problem) -> ViewOrder {
            let log = backend.engine.terms.log
            let app = try backend.app(call)
            return ViewOrder(epoch: log.epoch, activation: app.activation(of: log), version: 0, asOf: 0)
        }
        var seen = cursor.order
        (seen.version, seen.asOf) = (0, 0)
        // Another instance may have learned of a new catalog before this one.
        if try seen > rank() { _ = try await backend.catalogs.refresh() }
        return try seen == rank() && (cursor.nextChangeAt ?? .max) > call.now
    }

    private func park(_ call: Call, _ poll: HeldPoll, _ cursor: Cursor, _ wait: Int64) async throws {
        let device = try ViewForm.device(ViewForm.installation(call.request.headers))
        try await backend.driver(on: call.ticket.responder.loop).park(
            PollRequest(poll: poll, cursor: cursor, wait: PollRequest.spread(wait), device: device))
    }
}
