import EventLoop

/// The right and duty to answer one request, with what the log needs then. Small: a held poll keeps it.
struct Ticket: Sendable {
    let responder: HTTPResponder
    let id: RequestID
    /// The caller's trace, if it has one.
    let trace: TraceParent?
    /// When the request was complete, by the loop's clock.
    let startedAt: Duration
    /// Nil if the request leads nowhere.
    var route: RouteLabel?
    /// What the log calls the account.
    var accountTag: String?

    init(_ request: HTTPRequest, _ responder: HTTPResponder) {
        self.responder = responder
        id = RequestID()
        trace = TraceParent(request.headers["traceparent"])
        startedAt = request.loop.now
    }
}
