import EventLoop
import Synchronization
import Testing

@Suite struct HTTPServerTests {
    @Test func connectionIsKeptForFurtherRequests() async throws {
        try await withServer { server in
            let client = try RawClient(port: server.port)
            for number in 0..<3 {
                await client.send("GET /\(number) HTTP/1.1\r\nHost: a\r\n\r\n")
                let response = try await client.response()
                #expect(response.status == 200)
                #expect(response.body == "GET /\(number) ")
                #expect(response.headers["connection"] == nil)
                #expect(response.headers["date"] != nil)
            }
            #expect(server.counters.openConnections == 1)
            #expect(server.counters.requests == 3)
        }
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
        try await withServer { server in
            let client = try RawClient(port: server.port)
            let posts = (0..<50).map { "POST /\($0) HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody" }
            await client.send(posts.joined() + "GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            for number in 0..<50 { #expect(try await client.response().body == "POST /\(number) body") }
            #expect(try await client.response().headers["connection"] == "close")
            #expect(await client.rest() == "")
        }
    }

    @Test func requestsPipelinedBehindAHeldOneWait() async throws {
        let holder = Holder()
        try await withServer(handler: holder.handler) { server in
            let client = try RawClient(port: server.port)
            await client.send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\nGET /3 HT")
            await holder.held.next()?.send(HTTPResponse(status: 201))
            #expect(try await client.response().status == 201)
            await holder.held.next()?.send(HTTPResponse(status: 202))
            #expect(try await client.response().status == 202)
            await client.send("TP/1.1\r\nHost: a\r\n\r\n")
            await holder.held.next()?.send(HTTPResponse(status: 203))
            #expect(try await client.response().status == 203)
        }
    }

    @Test func requestMayArriveByteByByte() async throws {
        try await withServer { server in
            let client = try RawClient(port: server.port)
            for byte in "\r\nPOST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc".utf8 {
                await client.send([byte])
            }
            #expect(try await client.response().body == "POST /slow abc")
        }
    }

    @Test func chunkedBodyIsDecoded() async throws {
        try await withServer { server in
            let client = try RawClient(port: server.port)
            let head = "POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n"
            await client.send(head + "3\r\nabc\r\n0A\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n")
            #expect(try await client.response().body == "POST /c abc0123456789")
            await client.send(head + "0\r\n\r\n")
            #expect(try await client.response().body == "POST /c ")
        }
    }

    @Test func clientThatWaitsFor100ContinueGetsIt() async throws {
        try await withServer { server in
            let client = try RawClient(port: server.port)
            for _ in 0..<2 {
                await client.send("POST /e HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
                #expect(try await client.response().status == 100)
                await client.send("body")
                #expect(try await client.response().body == "POST /e body")
            }
        }
    }

    @Test func clientThatDoesNotWaitFor100ContinueIsServedToo() async throws {
        try await withServer { server in
            let client = try RawClient(port: server.port)
            await client.send("POST /e HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\nbody")
            #expect(try await client.response().body == "POST /e body")
        }
    }

    @Test func headGetsTheLengthAndNoBody() async throws {
        try await withServer { server in
            let client = try RawClient(port: server.port)
            await client.send(
                "HEAD /h HTTP/1.1\r\nHost: a\r\n\r\nGET /g HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let head = try await client.response(toHead: true)
            #expect(head.status == 200)
            #expect(head.headers["content-length"] == "\("HEAD /h ".utf8.count)")
            #expect(try await client.response().body == "GET /g ")
            #expect(await client.rest() == "")
        }
    }

    @Test(arguments: [204, 304]) func statusWithoutBodySendsNone(status: Int) async throws {
        let handler: HTTPServer.Handler = { _, responder in
            responder.send(HTTPResponse(status: status, body: Array("never".utf8)))
        }
        try await withServer(handler: handler) { server in
            let client = try RawClient(port: server.port)
            await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let response = try await client.response()
            #expect(response.status == status)
            #expect(response.headers["content-length"] == nil)
            #expect(try await client.response().status == status)
            #expect(await client.rest() == "")
        }
    }

    @Test func oldVersionIsAnsweredAndClosed() async throws {
        try await withServer { server in
            let client = try RawClient(port: server.port)
            await client.send("GET /old HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(try await client.response().body == "GET /old ")
            #expect(await client.rest() == "")
        }
    }

    @Test func handlerSeesTheWholeRequest() async throws {
        let seen = EventStream<HTTPRequest>()
        let handler: HTTPServer.Handler = { request, responder in
            seen.send(request)
            responder.send(HTTPResponse(status: 200, closesConnection: true))
        }
        try await withServer(handler: handler) { server in
            let client = try RawClient(port: server.port)
            await client.send(
                "PUT http://host/a%2Fb/c?x=1&y=a%20b+c&x=2&flag HTTP/1.1\r\nHost: h\r\nAccept:  one \r\naccept: two\r\n\r\n"
            )
            let request = try #require(await seen.next())
            #expect(request.method == "PUT")
            #expect(request.target == "http://host/a%2Fb/c?x=1&y=a%20b+c&x=2&flag")
            #expect(request.path == "/a%2Fb/c")
            #expect(request.pathSegments == ["a/b", "c"])
            #expect(request.query.values(of: "x") == ["1", "2"])
            #expect(request.query["y"] == "a b c")
            #expect(request.query["flag"] == "")
            #expect(request.query["none"] == nil)
            #expect(request.headers["ACCEPT"] == "one")
            #expect(request.headers.values(of: "Accept") == ["one", "two"])
            #expect(request.headers["accep"] == nil)
            #expect(request.remoteAddress == "127.0.0.1")
            #expect(try await client.response().headers["connection"] == "close")
            #expect(await client.rest() == "")
        }
    }

    @Test func headerWithALineBreakIsLeftOutOfAnAnswer() async throws {
        let handler: HTTPServer.Handler = { _, responder in
            let headers = [HTTPResponse.Header("Good", "yes"), HTTPResponse.Header("Bad", "a\r\nInjected: b")]
            responder.send(HTTPResponse(status: 200, headers: headers))
        }
        try await withServer(handler: handler) { server in
            let client = try RawClient(port: server.port)
            await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            let response = try await client.response()
            #expect(response.headers["good"] == "yes")
            #expect(response.headers["bad"] == nil && response.headers["injected"] == nil)
        }
    }

    @Test func connectionsAreSpreadOverTheLoops() async throws {
        let loops = Mutex<[ObjectIdentifier: Int]>([:])
        let handler: HTTPServer.Handler = { request, responder in
            let isHome = request.loop.isOnLoop
            loops.withLock { $0[ObjectIdentifier(request.loop), default: 0] += 1 }
            responder.send(HTTPResponse(status: isHome ? 200 : 500))
        }
        try await withServer(loopCount: 2, handler: handler) { server in
            for _ in 0..<64 {
                let client = try RawClient(port: server.port)
                await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try await client.response().status == 200)
            }
        }
        // A fair coin leaves a side under 10 of 64 once in ten million runs.
        #expect(loops.withLock { $0.values.sorted() }.allSatisfy { $0 >= 10 })
        #expect(loops.withLock { $0.count } == 2)
    }

    @Test func secondServerOnThePortIsRefused() async throws {
        try await withServer { server in
            var configuration = HTTPServer.Configuration.patient
            configuration.port = server.port
            let group = try EventLoopGroup(loopCount: 1)
            let error = await #expect(throws: EventLoopError.self) {
                _ = try await HTTPServer.start(configuration, on: group, handler: echo)
            }
            #expect(error?.code == .addressUnusable)
            await group.shutdown()
        }
    }
}
