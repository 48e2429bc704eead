/// An HTTP/1.1 server on libevent's evhttp, spread over the loops of a group.
///
/// Each loop has a listening socket of its own on the one port (`SO_REUSEPORT`), so the kernel spreads the connections
/// and no request changes threads. evhttp runs the connections; the check of what arrives is ours (``RequestReader``).
public final class HTTPServer: Sendable {
    /// Called on the loop of the connection, once for each complete request.
    public typealias Handler = @Sendable (HTTPRequest, HTTPResponder) -> Void

    /// The port the server listens on.
    public let port: Int
    private let listeners: [LoopBound<HTTPListener>]
    private let sharedCounters: HTTPCounters

    private init(port: Int, listeners: [LoopBound<HTTPListener>], counters: HTTPCounters) {
        self.port = port
        self.listeners = listeners
        sharedCounters = counters
    }

    /// Begins to listen on all loops of the group. Throws if the address or the certificate cannot be used.
    public static func start(
        _ configuration: Configuration, on group: EventLoopGroup, handler: @escaping Handler
    ) async throws(EventLoopError) -> HTTPServer {
        let tls = try configuration.tls.map { identity throws(EventLoopError) in try TLSContext(identity) }
        let counters = HTTPCounters()
        try ListenAddress(address: configuration.address, port: configuration.port).checkThatNobodyListens()
        var configuration = configuration
        var listeners: [LoopBound<HTTPListener>] = []
        for loop in group.loops {
            let settings = HTTPListener.Settings(
                configuration: configuration, tls: tls, counters: counters, handler: handler)
            do {
                let (listener, port) = try await loop.run { () throws(EventLoopError) in
                    let listener = try HTTPListener(settings, loop: loop)
                    return (LoopBound(listener, loop: loop), listener.port)
                }
                listeners.append(listener)
                // All loops listen on the port the first one was given.
                configuration.port = port
            } catch {
                for listener in listeners { await listener.loop.run { listener.onLoop.close() } }
                throw error
            }
        }
        return HTTPServer(port: configuration.port, listeners: listeners, counters: counters)
    }

    /// What the server is doing and has done, for metrics.
    public var counters: HTTPServerCounters { sharedCounters.snapshot }

    /// Ends the server gently: no new connections, idle ones closed, requests in progress answered with
    /// `Connection: close`. Returns when all are done, or after `limit`, when what is left is cut off.
    ///
    /// Who holds requests should answer them meanwhile. Before the loops are shut down, which closes servers at once.
    /// The server cannot be started again.
    public func drain(within limit: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            for listener in listeners {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        listener.loop.execute { listener.onLoop.drain(within: limit) { continuation.resume() } }
                    }
                }
            }
        }
    }
}
