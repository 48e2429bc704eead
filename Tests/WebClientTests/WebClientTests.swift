import Testing

@testable import WebClient

@Suite struct WebClientTests {
    private let client: WebClient

    init() throws { client = try WebClient() }

    private func request(_ server: LoopbackServer, limit: Int = 1_000) -> WebRequest {
        WebRequest(
            url: "http://127.0.0.1:\(server.port)/x?a=1", headers: ["Authorization": "Bearer t"],
            timeout: .seconds(120), answerLimit: limit)
    }

    /// The server lives as long as the call.
    private func ask(_ server: LoopbackServer) async throws -> WebResponse { try await client.send(request(server)) }

    @Test func anAnswerComesWhole() async throws {
        let server = try LoopbackServer(
            .bytes("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nA-B: c\r\nx:\t1 \r\nX: 2\r\n\r\nhello"))
        let response = try await ask(server)
        #expect(response.status == 200)
        #expect(response.body == Array("hello".utf8))
        #expect(response.headers == ["content-length": "5", "a-b": "c", "x": "1, 2"])
        let seen = try #require(server.seen.first)
        #expect(seen.hasPrefix("GET /x?a=1 HTTP/1.1\r\n"))
        #expect(seen.contains("\r\nAuthorization: Bearer t\r\n"))
    }

    @Test(arguments: [
        ("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n", 401, ""),
        ("HTTP/1.1 204 No Content\r\nA: b\r\n\r\n", 204, ""),
        ("HTTP/1.0 200 OK\r\n\r\nuntil the end", 200, "until the end"),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;n=v\r\nhel\r\n2\r\nlo\r\n0\r\nT: 1\r\n\r\n", 200,
            "hello"
        ),
        ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nL: x\r\n\r\nHTTP/1.1 204 No\r\n\r\n", 204, ""),
        // URLSession on Linux never returns from this one.
        ("HTTP/1.1 401 X\r\nWWW-Authenticate: Basic realm=\"hotel\"\r\nContent-Length: 0\r\n\r\n", 401, ""),
    ])
    func everyFormOfAnswerIsAnAnswer(_ bytes: String, status: Int, body: String) async throws {
        let response = try await ask(try LoopbackServer(.bytes(bytes)))
        #expect(response.status == status)
        #expect(response.body == Array(body.utf8))
    }

    @Test func aBodyIsSentAtOnceWithTheTypeItWasGiven() async throws {
        let server = try LoopbackServer(.bytes("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
        var post = request(server)
        post.method = "POST"
        post.body = Array(repeating: 65, count: 2 << 20)
        post.headers["Content-Type"] = "a/b"
        _ = try? await client.send(post)
        let seen = try #require(server.seen.first?.lowercased())
        #expect(seen.hasPrefix("post /x"))
        #expect(seen.contains("\r\ncontent-type: a/b\r\n") && seen.contains("\r\ncontent-length: 2097152\r\n"))
        #expect(!seen.contains("expect:"))
    }

    @Test func aRedirectIsNotFollowed() async throws {
        let other = try LoopbackServer(.bytes("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
        let server = try LoopbackServer(
            .bytes("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:\(other.port)/\r\nContent-Length: 0\r\n\r\n"))
        #expect(try await ask(server).status == 302)
        #expect(other.seen.isEmpty)
    }

    @Test func aConnectionIsUsedAgain() async throws {
        // Answers nobody else while the first connection lives.
        let server = try LoopbackServer(.kept("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"))
        for _ in 0..<20 { #expect(try await ask(server).body == Array("hi".utf8)) }
        #expect(server.seen.count == 20)
    }

    @Test func manyRequestsGoAtOnce() async throws {
        let server = try LoopbackServer(.bytes("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"))
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 { group.addTask { try await ask(server).status } }
            for try await status in group { #expect(status == 200) }
        }
    }

    @Test func aProxyIsAskedInTheServersPlace() async throws {
        let proxy = try LoopbackServer(.bytes("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"))
        var configuration = WebClient.Configuration()
        configuration.proxy = "http://127.0.0.1:\(proxy.port)"
        let proxied = try WebClient(configuration)
        let far = WebRequest(url: "http://service.invalid/y", timeout: .seconds(120))
        #expect(try await proxied.send(far).status == 200)
        #expect(proxy.seen.first?.hasPrefix("GET http://service.invalid/y HTTP/1.1\r\n") == true)

        let near = try LoopbackServer(.bytes("HTTP/1.1 204 No\r\n\r\n"))
        #expect(try await proxied.send(request(near)).status == 204, "this machine is asked directly")
        #expect(proxy.seen.count == 1)
    }

    /// Bytes that are cut anywhere, that are too many or that are no HTTP.
    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\ntoo short", "garbage\r\n\r\n", "",
        // URLSession on Linux ends the process at these, libcurl alone takes them for whole.
        "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-", "HTTP/1.1 204 No\r\nEntitlement-Cursor: c\r\n",
        "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Le",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
    ])
    func aBrokenAnswerIsNone(_ bytes: String) async throws {
        let server = try LoopbackServer(.bytes(bytes))
        let error = await #expect(throws: WebError.self) { try await ask(server) }
        #expect(error?.code == .brokenAnswer)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n" + String(repeating: "x", count: 2_000),
        "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 2_000),
        "HTTP/1.1 200 OK\r\n" + String(repeating: "A: \(String(repeating: "x", count: 1_000))\r\n", count: 80) + "\r\n",
    ])
    func anAnswerIsNoLongerThanAllowed(_ bytes: String) async throws {
        let server = try LoopbackServer(.bytes(bytes))
        let error = await #expect(throws: WebError.self) { try await ask(server) }
        #expect(error?.code == .answerTooLong)
    }

    @Test func noiseIsNone() async throws {
        for _ in 0..<20 {
            let noise = String(
                String.UnicodeScalarView((0..<300).map { _ in Unicode.Scalar(UInt8.random(in: 0...255)) }))
            let server = try LoopbackServer(.bytes(noise))
            await #expect(throws: WebError.self, "\(Array(noise.utf8))") { try await ask(server) }
        }
    }

    @Test func nobodyThereIsUnreachable() async throws {
        // Port 1 is nobody's.
        let error = await #expect(throws: WebError.self) {
            try await client.send(WebRequest(url: "http://127.0.0.1:1/", timeout: .seconds(120)))
        }
        #expect(error?.code == .unreachable)
    }

    @Test func aSilentServerIsGivenUpInTime() async throws {
        let server = try LoopbackServer(.silence)
        var short = request(server)
        short.timeout = .milliseconds(50)
        let error = await #expect(throws: WebError.self) { try await client.send(short) }
        #expect(error?.code == .timedOut)
    }

    @Test(arguments: ["to\r\nX: y", "tö", "t\0"])
    func aTokenCannotBecomeAHeader(_ token: String) async throws {
        let server = try LoopbackServer(.bytes("HTTP/1.1 204 No Content\r\n\r\n"))
        var bad = request(server)
        bad.headers["Authorization"] = "Bearer \(token)"
        let error = await #expect(throws: WebError.self) { try await client.send(bad) }
        #expect(error?.code == .invalidRequest)
        #expect(server.seen.isEmpty)
    }

    @Test(arguments: ["", "x", "file:///etc/hostname", "ftp://127.0.0.1/", "http://", "http://127.0.0.1:99999/"])
    func anAddressThatCannotBeAskedIsRefused(_ url: String) async throws {
        let error = await #expect(throws: WebError.self) { try await client.send(WebRequest(url: url)) }
        #expect(error?.code == .invalidRequest)
    }

    @Test func aHeldRequestEndsWhenItIsGivenUp() async throws {
        let server = try LoopbackServer(.silence)
        let task = Task { try await ask(server) }
        while server.seen.isEmpty { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func aRequestThatIsGivenUpBeforeItBeginsIsNotSent() async throws {
        let server = try LoopbackServer(.silence)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await ask(server)
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(server.seen.isEmpty)
    }

    @Test func theThreadEndsWithTheClient() async throws {
        let server = try LoopbackServer(.kept("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"))
        var mine: WebClient? = try WebClient()
        weak var worker: TransferWorker?
        worker = mine?.worker
        _ = try await mine?.send(request(server))
        #expect(worker != nil)
        mine = nil
        // The thread holds the worker; a thread that stays makes this wait for ever.
        while worker != nil { await Task.yield() }
    }
}
