import EventLoop
import Testing

@Suite struct HTTPHoldTests {
    static let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test func heldRequestIsAnsweredLaterFromAnyThread() async throws {
        let holder = Holder()
        try await withServer(handler: holder.handler) { server in
            let client = try RawClient(port: server.port)
            for status in [200, 204] {
                await client.send(Self.request)
                let responder = try #require(await holder.held.next())
                await responder.loop.run {}
                #expect(server.counters.heldRequests == 1)
                responder.send(HTTPResponse(status: status))
                #expect(try await client.response().status == status)
                #expect(server.counters.heldRequests == 0)
            }
        }
        #expect(holder.timesGone.value == 0)
    }

    @Test func onlyTheFirstAnswerCounts() async throws {
        let holder = Holder()
        try await withServer(handler: holder.handler) { server in
            let client = try RawClient(port: server.port)
            await client.send(Self.request)
            let first = try #require(await holder.held.next())
            first.send(HTTPResponse(status: 201))
            first.send(HTTPResponse(status: 202))
            #expect(try await client.response().status == 201)
            await client.send(Self.request)
            let second = try #require(await holder.held.next())
            // An answer that comes too late must not reach the next request of the connection.
            first.send(HTTPResponse(status: 203))
            second.send(HTTPResponse(status: 204))
            #expect(try await client.response().status == 204)
        }
    }

    @Test(arguments: ["close", "reset", "half close"]) func clientThatLeavesIsNoticed(way: String) async throws {
        let holder = Holder()
        try await withServer(handler: holder.handler) { server in
            var client: RawClient? = try RawClient(port: server.port)
            await client?.send(Self.request)
            let responder = try #require(await holder.held.next())
            if way == "reset" { client?.resetWhenClosed() }
            if way == "half close" { client?.finishSending() } else { client = nil }
            await holder.gone.next()
            #expect(server.counters.clientsGone == 1)
            #expect(server.counters.heldRequests == 0)
            responder.send(HTTPResponse(status: 200))
            await responder.loop.run {}
            #expect(server.counters.openConnections == 0)
        }
        #expect(holder.timesGone.value == 1)
    }

    /// evhttp_send_reply on a request whose connection is gone works on freed memory.
    @Test func evhttpSendReplyAfterClientGoneIsNotReached() async throws {
        let handler: HTTPServer.Handler = { _, responder in
            responder.onClientGone { responder.send(HTTPResponse(status: 200)) }
        }
        try await withServer(handler: handler) { server in
            for _ in 0..<20 {
                let client = try RawClient(port: server.port)
                await client.send(Self.request)
            }
            let loop = try EventLoop()
            #expect(await eventually(server, on: loop) { $0.clientsGone == 20 && $0.openConnections == 0 })
            await loop.shutdown()
        }
    }

    /// evhttp ends the process ("illegal connection state") when bytes come while it waits for an answer.
    @Test func evhttpIllegalConnectionStateIsNotReached() async throws {
        let holder = Holder()
        try await withServer(handler: holder.handler) { server in
            let client = try RawClient(port: server.port)
            await client.send(Self.request)
            let first = try #require(await holder.held.next())
            await client.send(Self.request)
            await client.send(Self.request)
            await letPass(.milliseconds(20), on: first.loop)
            first.send(HTTPResponse(status: 201))
            for status in [202, 203] { await holder.held.next()?.send(HTTPResponse(status: status)) }
            for status in 201...203 { #expect(try await client.response().status == status) }
        }
    }

    /// evhttp goes on reading while it writes, without a limit.
    @Test func clientThatSendsAheadIsHeldBack() async throws {
        let holder = Holder()
        try await withServer(handler: holder.handler) { server in
            let client = try RawClient(port: server.port)
            await client.send(Self.request)
            let first = try #require(await holder.held.next())
            let count = 5_000
            let sending = Task { await client.send(String(repeating: Self.request, count: count)) }
            await letPass(.milliseconds(20), on: first.loop)
            first.send(HTTPResponse(status: 200))
            for _ in 0..<count { await holder.held.next()?.send(HTTPResponse(status: 200)) }
            await sending.value
            for _ in 0...count { #expect(try await client.response().status == 200) }
        }
    }

    @Test func heldRequestWith100ContinueIsAnswered() async throws {
        let holder = Holder()
        try await withServer(handler: holder.handler) { server in
            let client = try RawClient(port: server.port)
            await client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
            #expect(try await client.response().status == 100)
            await client.send("ab")
            await holder.held.next()?.send(HTTPResponse(status: 201))
            #expect(try await client.response().status == 201)
        }
    }
}
