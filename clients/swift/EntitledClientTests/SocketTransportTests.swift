import Testing

@testable import EntitledClient

@Suite struct SocketTransportTests {
    func request(_ server: LoopbackServer, limit: Int = 1_000) -> TransportRequest {
        TransportRequest(
            method: "GET", url: "http://127.0.0.1:\(server.port)/x", headers: ["Authorization": "Bearer t"], body: nil,
            timeout: 20_000, answerLimit: limit)
    }

    @Test func anAnswerComesWhole() async throws {
        let server = try LoopbackServer(
            .bytes("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nEntitlement-Cursor: c\r\nConnection: close\r\n\r\nhello"))
        let response = try await SocketTransport().send(request(server))
        #expect(response.status == 200)
        #expect(response.body == Array("hello".utf8))
        #expect(response.headers["entitlement-cursor"] == "c")
        #expect(AnswerPace(response.headers).closes)
        #expect(server.seen.first?.contains("Authorization: Bearer t") == true)
    }

    @Test func aRefusalAndAnEmptyAnswerAreAnswers() async throws {
        let refusing = try LoopbackServer(.bytes("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n"))
        #expect(try await SocketTransport().send(request(refusing)).status == 401)
        let empty = try LoopbackServer(.bytes("HTTP/1.1 204 No Content\r\nEntitlement-Cursor: c2\r\n\r\n"))
        #expect(ServiceAnswer(try await SocketTransport().send(request(empty))) == .unchanged(cursor: "c2"))
    }

    @Test func aRedirectIsNotFollowed() async throws {
        let portal = try LoopbackServer(.bytes("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
        let server = try LoopbackServer(
            .bytes(
                "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:\(portal.port)/\r\nContent-Length: 0\r\n\r\n"))
        let response = try? await SocketTransport().send(request(server))
        #expect(response.map { ServiceAnswer($0) == .unreachable } ?? true)
        #expect(portal.seen.isEmpty)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\ntoo short", "garbage", "",
        // URLSession on Linux ends the process here.
        "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-",
        "HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n" + String(repeating: "x", count: 2_000),
    ])
    func aBrokenOrTooLongAnswerIsNone(_ bytes: String) async throws {
        let server = try LoopbackServer(.bytes(bytes))
        await #expect(throws: (any Error).self) { try await SocketTransport().send(request(server)) }
    }

    /// URLSession on Linux never returns from this one.
    @Test func aPortalThatAsksForAPasswordIsAnAnswer() async throws {
        let portal = try LoopbackServer(
            .bytes("HTTP/1.1 401 X\r\nWWW-Authenticate: Basic realm=\"hotel\"\r\nContent-Length: 0\r\n\r\n"))
        let response = try await SocketTransport().send(request(portal))
        #expect(ServiceAnswer(response) == .unreachable)
    }

    @Test func aSilentServerIsGivenUpInTime() async throws {
        let server = try LoopbackServer(.silence)
        var request = request(server)
        request.timeout = 50
        let short = request
        await #expect(throws: ClientError.self) { try await SocketTransport().send(short) }
    }

    @Test(arguments: ["to\r\nX: y", "tö", "t\0"])
    func aTokenCannotBecomeAHeader(_ token: String) async throws {
        let server = try LoopbackServer(.bytes("HTTP/1.1 204 No Content\r\n\r\n"))
        var request = request(server)
        request.headers["Authorization"] = "Bearer \(token)"
        let bad = request
        await #expect(throws: ClientError.self) { try await SocketTransport().send(bad) }
        #expect(server.seen.isEmpty)
    }

    @Test func aHeldRequestEndsWhenItIsGivenUp() async throws {
        let server = try LoopbackServer(.silence)
        let task = Task { try await SocketTransport().send(request(server)) }
        while server.seen.isEmpty { await Task.yield() }
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
    }
}
