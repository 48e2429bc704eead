import CLibevent

/// The part of a server that lives on one loop: a listening socket, evhttp, and the connections it accepted.
///
/// Not Sendable: used on its loop only.
final class HTTPListener {
    struct Settings: Sendable {
        let configuration: HTTPServer.Configuration
        let tls: TLSContext?
        let counters: HTTPCounters
        let handler: HTTPServer.Handler
    }

    let loop: EventLoop
    let port: Int
    let handler: HTTPServer.Handler
    let counters: HTTPCounters
    let readerLimits: RequestReader.Limits
    let timeLimits: HTTPTimeLimits
    private(set) var isDraining = false
    /// The time of the last sweep: good enough for limits, and costs no system call.
    private(set) var sweepTime = MonotonicClock.nanoseconds()

    private let tls: TLSContext?
    private let maxConnections: Int
    /// Owned until `close`.
    private var ownedServer: OpaquePointer?
    /// Lent by evhttp, which owns it.
    private var acceptor: OpaquePointer?
    /// By the address of the bufferevent.
    private var connections: [OpaquePointer: HTTPConnection] = [:]
    private var drained: [@Sendable () -> Void] = []
    private var drainLimit: EventLoop.Timer?

    init(_ settings: Settings, loop: EventLoop) throws(EventLoopError) {
        let configuration = settings.configuration
        let address = try ListenAddress(address: configuration.address, port: configuration.port)
        let listener = try address.makeOwnedListener(base: loop.state.base, backlog: configuration.backlog)
        guard let server = evhttp_new(loop.state.base), let acceptor = evhttp_bind_listener(server, listener) else {
            evconnlistener_free(listener)
            throw EventLoopError(code: .resourcesExhausted, message: "evhttp cannot start for want of memory")
        }
        self.loop = loop
        self.acceptor = acceptor
        ownedServer = server
        port = ListenAddress.boundPort(evconnlistener_get_fd(listener))
        handler = settings.handler
        counters = settings.counters
        tls = settings.tls
        readerLimits = configuration.readerLimits
        timeLimits = configuration.timeLimits
        maxConnections = configuration.maxConnections

        let context = Unmanaged.passUnretained(self).toOpaque()
        evhttp_set_default_content_type(server, nil)
        evhttp_set_bevcb(server, connectionNeedsTransport, context)
        evhttp_set_gencb(server, requestIsComplete, context)
        evconnlistener_set_error_cb(listener, acceptFailed)
        loop.state.finishers.append { [weak self] in self?.close() }
        scheduleSweep()
    }

    /// The deadline for something that may take `limit` from now on. Never early, late by a sweep at most.
    func deadline(_ limit: Int64) -> Int64 {
        let (deadline, overflow) = (sweepTime + timeLimits.sweepInterval).addingReportingOverflow(limit)
        return overflow ? .max : deadline
    }

    /// Stops accepting and closes what is idle; `done` is called when all connections have ended, or at the limit.
    func drain(within limit: Duration, done: @escaping @Sendable () -> Void) {
        guard ownedServer != nil else { return done() }
        drained.append(done)
        isDraining = true
        if let acceptor { evhttp_del_accept_socket(ownedServer, acceptor) }
        acceptor = nil
        for connection in connections.values where connection.isIdle { connection.close() }
        let listener = LoopBound(self, loop: loop)
        drainLimit = loop.schedule(after: limit) { listener.onLoop.close() }
        if connections.isEmpty { close() }
    }

    /// Ends everything at once.
    func close() {
        guard let server = ownedServer else { return }
        for connection in connections.values { connection.close() }
        ownedServer = nil
        acceptor = nil
        evhttp_free(server)
        drainLimit?.cancel()
        for done in drained { done() }
        drained = []
    }

    // MARK: - Connections

    fileprivate func makeTransport() -> OpaquePointer? {
        let base = loop.state.base
        let plainOptions = Int32(BEV_OPT_CLOSE_ON_FREE.rawValue)
        guard
            let transport = tls.map({ $0.makeOwnedTransport(base: base) })
                ?? bufferevent_socket_new(base, -1, plainOptions)
        else { return nil }
        let open = counters.openConnections.count()
        let connection = HTTPConnection(transport: transport, listener: self, isSurplus: open > maxConnections)
        connections[transport] = connection
        let isHopeless = open > maxConnections + max(64, maxConnections / 8)
        // evhttp makes its own part of the connection after this call returns.
        let bound = LoopBound(connection, loop: loop)
        loop.execute {
            bound.onLoop.adopt()
            if isHopeless { bound.onLoop.close() }
        }
        return transport
    }

    fileprivate func dispatch(_ request: OpaquePointer) {
        let transport = evhttp_request_get_connection(request).flatMap(evhttp_connection_get_bufferevent)
        guard let transport, let connection = connections[transport] else {
            // evhttp fell back to a transport of its own, for want of memory. Nothing checked what came through it.
            evhttp_send_error(request, 503, nil)
            return
        }
        connection.dispatch(request)
    }

    func forget(_ transport: OpaquePointer) {
        connections[transport] = nil
        counters.openConnections.count(-1)
        guard isDraining, connections.isEmpty else { return }
        // Not at once: evhttp is in the middle of freeing the connection.
        let listener = LoopBound(self, loop: loop)
        loop.execute { listener.onLoop.close() }
    }

    // MARK: - Time

    private func scheduleSweep() {
        let listener = LoopBound(self, loop: loop)
        loop.schedule(after: .nanoseconds(timeLimits.sweepInterval)) { listener.onLoop.sweep() }
    }

    private func sweep() {
        guard ownedServer != nil else { return }
        sweepTime = MonotonicClock.nanoseconds()
        for connection in connections.values.filter({ $0.deadline <= sweepTime }) { connection.expire() }
        scheduleSweep()
    }

    fileprivate func pauseAccepting(_ listener: OpaquePointer) {
        evconnlistener_disable(listener)
        let bound = LoopBound(self, loop: loop)
        loop.schedule(after: .milliseconds(100)) { bound.onLoop.resumeAccepting() }
    }

    private func resumeAccepting() {
        guard let acceptor else { return }
        evconnlistener_enable(evhttp_bound_socket_get_listener(acceptor))
    }
}

private func listener(_ context: UnsafeMutableRawPointer?) -> HTTPListener? {
    context.map { Unmanaged<HTTPListener>.fromOpaque($0).takeUnretainedValue() }
}

private func connectionNeedsTransport(base: OpaquePointer?, context: UnsafeMutableRawPointer?) -> OpaquePointer? {
    listener(context)?.makeTransport()
}

private func requestIsComplete(request: OpaquePointer?, context: UnsafeMutableRawPointer?) {
    guard let request else { return }
    listener(context)?.dispatch(request)
}

/// Out of descriptors or memory: without a pause the loop would spin on the connection it cannot accept.
private func acceptFailed(acceptor: OpaquePointer?, context: UnsafeMutableRawPointer?) {
    guard let acceptor else { return }
    listener(context)?.pauseAccepting(acceptor)
}
