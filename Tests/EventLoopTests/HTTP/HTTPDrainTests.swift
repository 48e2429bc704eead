import EventLoop
import Testing

@Suite struct HTTPDrainTests {
    static let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test func drainClosesIdleConnectionsAndAnswersTheRest() async throws {
        let holder = Holder()
        try await withServer(loopCount: 2, handler: holder.handler) { server in
            let idle = try RawClient(port: server.port)
            await idle.send(Self.request)
            await holder.held.next()?.send(HTTPResponse(status: 200))
            #expect(try await idle.response().headers["connection"] == nil)
            let busy = try RawClient(port: server.port)
            await busy.send(Self.request)
            let responder = try #require(await holder.held.next())

            let isDrained = Counter()
            let drain = Task {
                await server.drain(within: .seconds(60))
                isDrained.increment()
            }
            #expect(await idle.rest() == "")
            #expect(isDrained.value == 0)
            responder.send(HTTPResponse(status: 200))
            #expect(try await busy.response().headers["connection"] == "close")
            #expect(await busy.rest() == "")
            await drain.value
            #expect(server.counters.openConnections == 0)
            #expect(throws: SocketFailure.self) { try RawClient(port: server.port) }
        }
    }

    @Test func drainCutsOffWhatIsLeftAtItsLimit() async throws {
        let holder = Holder()
        try await withServer(handler: holder.handler) { server in
            let client = try RawClient(port: server.port)
            await client.send(Self.request)
            let responder = try #require(await holder.held.next())
            await server.drain(within: .milliseconds(50))
            #expect(await client.rest() == "")
            #expect(holder.timesGone.value == 1)
            responder.send(HTTPResponse(status: 200))
            await server.drain(within: .seconds(60))
        }
    }

    @Test func loopThatEndsWithAServerOnItClosesTheConnections() async throws {
        let holder = Holder()
        let group = try EventLoopGroup(loopCount: 2)
        let server = try await HTTPServer.start(.init(), on: group, handler: holder.handler)
        let client = try RawClient(port: server.port)
        await client.send(Self.request)
        _ = await holder.held.next()
        await group.shutdown()
        #expect(await client.rest() == "")
        #expect(holder.timesGone.value == 1)
    }
}
