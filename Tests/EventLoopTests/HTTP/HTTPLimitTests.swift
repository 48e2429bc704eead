import EventLoop
import Testing

@Suite struct HTTPLimitTests {
    static let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test func headBeyondTheLimitIsRefused() async throws {
        try await withServer(limits { $0.maxHeadBytes = 1_000 }) { server in
            let client = try RawClient(port: server.port)
            let filler = String(repeating: "x", count: 1_000 - "GET / HTTP/1.1\r\nHost: a\r\nX: \r\n\r\n".utf8.count)
            await client.send("GET / HTTP/1.1\r\nHost: a\r\nX: \(filler)\r\n\r\n")
            #expect(try await client.response().status == 200)
            await client.send("GET / HTTP/1.1\r\nHost: a\r\nX: \(filler)y\r\n\r\n")
            try await expectProblem(client, 431, "headerTooLarge")
        }
    }

    @Test func headThatNeverEndsIsRefusedAtTheLimit() async throws {
        try await withServer(limits { $0.maxHeadBytes = 1_000 }) { server in
            let client = try RawClient(port: server.port)
            await client.send(String(repeating: "x", count: 1_001))
            try await expectProblem(client, 431, "headerTooLarge")
        }
    }

    @Test func headersBeyondTheLimitAreRefused() async throws {
        try await withServer(limits { $0.maxHeaderFields = 3 }) { server in
            let client = try RawClient(port: server.port)
            await client.send("GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\nX: 2\r\nX: 3\r\n\r\n")
            try await expectProblem(client, 400, "malformedRequest")
        }
    }

    @Test func bodyOfExactlyTheLimitIsTaken() async throws {
        try await withServer(limits { $0.maxBodyBytes = 100_000 }) { server in
            let body = String(repeating: "b", count: 100_000)
            let client = try RawClient(port: server.port)
            await client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n" + body)
            #expect(try await client.response().body == "POST / " + body)
            await client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            await client.send("186a0\r\n\(body)\r\n0\r\n\r\n")
            #expect(try await client.response().body == "POST / " + body)
        }
    }

    /// The client sends its whole body before it looks. A plain close would reset the connection under the answer.
    @Test func bodyBeyondTheLimitIsRefusedAndTheRefusalArrives() async throws {
        try await withServer(limits { $0.maxBodyBytes = 1_000 }) { server in
            for head in ["Content-Length: 3000000", "Transfer-Encoding: chunked"] {
                let client = try RawClient(port: server.port)
                await client.send("POST / HTTP/1.1\r\nHost: a\r\n\(head)\r\n\r\n2dc6c0\r\n")
                await client.send([UInt8](repeating: 0, count: 3_000_000))
                try await expectProblem(client, 413, "bodyTooLarge")
            }
        }
    }

    @Test func bodyInSmallChunksIsRefusedAtTheLimit() async throws {
        try await withServer(limits { $0.maxBodyBytes = 10 }) { server in
            let client = try RawClient(port: server.port)
            await client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nabcdef\r\n5\r\n")
            try await expectProblem(client, 413, "bodyTooLarge")
        }
    }

    @Test func clientThatWouldSendTooMuchIsNotToldToContinue() async throws {
        try await withServer(limits { $0.maxBodyBytes = 1_000 }) { server in
            let client = try RawClient(port: server.port)
            await client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\nExpect: 100-continue\r\n\r\n")
            try await expectProblem(client, 413, "bodyTooLarge")
        }
    }

    /// evhttp's own time-out begins anew with every byte, so one byte a second lives for ever.
    @Test func headThatDripsIsCutOffAtItsDeadline() async throws {
        try await withServer(limits { $0.headTimeout = .milliseconds(200) }) { server in
            let client = try RawClient(port: server.port)
            let loop = try EventLoop()
            @Sendable func drip() {
                client.sendAside("x")
                loop.schedule(after: .milliseconds(5)) { drip() }
            }
            drip()
            let patient = try RawClient(port: server.port)
            await patient.send("GET / HT")
            try await expectProblem(patient, 408, "requestTimeout")
            #expect(await client.rest()?.contains("requestTimeout") == true)
            await loop.shutdown()
        }
    }

    @Test func bodyThatDripsIsCutOffAtItsDeadline() async throws {
        try await withServer(limits { $0.bodyTimeout = .milliseconds(200) }) { server in
            let lengthClient = try RawClient(port: server.port)
            await lengthClient.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabcd")
            let chunkClient = try RawClient(port: server.port)
            await chunkClient.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab")
            try await expectProblem(lengthClient, 408, "requestTimeout")
            try await expectProblem(chunkClient, 408, "requestTimeout")
        }
    }

    @Test func connectionThatNeverSpeaksIsClosed() async throws {
        try await withServer(limits { $0.headTimeout = .milliseconds(100) }) { server in
            let client = try RawClient(port: server.port)
            #expect(await client.rest() == "")
        }
    }

    @Test func connectionThatRestsTooLongIsClosed() async throws {
        try await withServer(limits { $0.idleTimeout = .milliseconds(100) }) { server in
            let client = try RawClient(port: server.port)
            await client.send(Self.request)
            #expect(try await client.response().status == 200)
            #expect(await client.rest() == "")
        }
    }

    @Test func clientThatDoesNotReadItsAnswerIsCutOff() async throws {
        let handler: HTTPServer.Handler = { _, responder in
            responder.send(HTTPResponse(status: 200, body: [UInt8](repeating: 0, count: 64 << 20)))
        }
        try await withServer(limits { $0.writeTimeout = .milliseconds(200) }, handler: handler) { server in
            let client = try RawClient(port: server.port)
            await client.send(Self.request)
            let loop = try EventLoop()
            #expect(await eventually(server, on: loop) { $0.requests == 1 && $0.openConnections == 0 })
            await loop.shutdown()
            await #expect(throws: SocketFailure.self) { try await client.response() }
        }
    }

    @Test func requestNobodyAnswersIsDroppedAtItsDeadline() async throws {
        let holder = Holder()
        try await withServer(limits { $0.answerTimeout = .milliseconds(100) }, handler: holder.handler) { server in
            let client = try RawClient(port: server.port)
            await client.send(Self.request)
            #expect(await client.rest() == "")
            #expect(holder.timesGone.value == 1)
        }
    }

    @Test func connectionsBeyondTheLimitAreTurnedAway() async throws {
        try await withServer(limits { $0.maxConnections = 2 }) { server in
            let clients = try (0..<3).map { _ in try RawClient(port: server.port) }
            for client in clients.prefix(2) {
                await client.send(Self.request)
                #expect(try await client.response().status == 200)
            }
            await clients[2].send(Self.request)
            let refusal = try await clients[2].response()
            #expect(refusal.status == 503)
            #expect(refusal.body.contains(#""code":"overloaded""#))
            let delay = try #require(refusal.headers["retry-after"].flatMap { Int($0) })
            #expect((5...30).contains(delay))
            await clients[0].send(Self.request)
            #expect(try await clients[0].response().status == 200)
        }
    }

    @Test func connectionsFarBeyondTheLimitAreClosedUnheard() async throws {
        try await withServer(limits { $0.maxConnections = 0 }) { server in
            let clients = try (0..<65).map { _ in try RawClient(port: server.port) }
            #expect(await clients[64].rest() == "")
        }
    }

    private func limits(_ change: (inout HTTPServer.Configuration) -> Void) -> HTTPServer.Configuration {
        var configuration = HTTPServer.Configuration.patient
        change(&configuration)
        return configuration
    }

    private func expectProblem(_ client: RawClient, _ status: Int, _ code: String) async throws {
        let response = try await client.response()
        #expect(response.status == status)
        #expect(response.body.contains(#""code":"\#(code)""#))
        client.finishSending()
        #expect(await client.rest() == "")
    }
}
