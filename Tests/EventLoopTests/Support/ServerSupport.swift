import EventLoop
import Synchronization

/// Runs a test with a server on a group of its own, and shuts both down after.
func withServer(
    loopCount: Int = 1, _ configuration: HTTPServer.Configuration = .patient,
    handler: @escaping HTTPServer.Handler = echo, _ body: (HTTPServer) async throws -> Void
) async throws {
    let group = try EventLoopGroup(loopCount: loopCount)
    do {
        let server = try await HTTPServer.start(configuration, on: group, handler: handler)
        try await body(server)
        await server.drain(within: .zero)
    } catch {
        await group.shutdown()
        throw error
    }
    await group.shutdown()
}

extension HTTPServer.Configuration {
    /// Limits of time that no busy test machine reaches; a test of a limit sets that one.
    static var patient: Self {
        var configuration = Self()
        configuration.headTimeout = .seconds(600)
        configuration.bodyTimeout = .seconds(600)
        configuration.idleTimeout = .seconds(600)
        configuration.answerTimeout = .seconds(600)
        configuration.writeTimeout = .seconds(600)
        return configuration
    }
}

/// Answers with what it was asked: method, target and body.
@Sendable func echo(_ request: HTTPRequest, _ responder: HTTPResponder) {
    let text = "\(request.method) \(request.target) \(String(decoding: request.body, as: UTF8.self))"
    responder.send(HTTPResponse(status: 200, body: Array(text.utf8)))
}

/// A handler that keeps what it is given for the test to answer.
final class Holder: Sendable {
    let held = EventStream<HTTPResponder>()
    let gone = EventStream<Void>()
    let timesGone = Counter()

    var handler: HTTPServer.Handler {
        { [self] _, responder in
            responder.onClientGone {
                self.timesGone.increment()
                self.gone.send(())
            }
            held.send(responder)
        }
    }
}

/// Waits until the server's counters are as wanted; false after ten seconds.
func eventually(_ server: HTTPServer, on loop: EventLoop, _ isReached: (HTTPServerCounters) -> Bool) async -> Bool {
    for _ in 0..<2_000 {
        if isReached(server.counters) { return true }
        await letPass(.milliseconds(5), on: loop)
    }
    return false
}
