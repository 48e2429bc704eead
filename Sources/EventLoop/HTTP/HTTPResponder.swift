/// The right to answer one request, now or later. Small: a held request costs the connection and this.
///
/// A request nobody answers is dropped with its connection when the server's answer time is over.
public struct HTTPResponder: Sendable {
    private let connection: LoopBound<HTTPConnection>
    private let exchange: UInt32

    init(connection: LoopBound<HTTPConnection>, exchange: UInt32) {
        self.connection = connection
        self.exchange = exchange
    }

    /// The loop of the connection.
    public var loop: EventLoop { connection.loop }

    /// Sends the answer. Only the first call counts, and none once the client has left. From any thread.
    public func send(_ response: HTTPResponse) {
        onLoop { connection in connection.send(response, exchange: exchange) }
    }

    /// Calls `body` on the loop if the client leaves, or the connection ends otherwise, before the answer is sent.
    ///
    /// Called at most once, and never after ``send(_:)``. Nothing happens if the client is gone already
    /// when this is called from another thread; set it in the handler. A second call replaces the first.
    public func onClientGone(_ body: @escaping @Sendable () -> Void) {
        onLoop { connection in connection.setClientGone(body, exchange: exchange) }
    }

    private func onLoop(_ body: @escaping @Sendable (HTTPConnection) -> Void) {
        if loop.isOnLoop {
            body(connection.onLoop)
        } else {
            loop.execute { body(connection.onLoop) }
        }
    }
}
