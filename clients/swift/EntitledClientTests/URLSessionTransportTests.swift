import Testing

@testable import EntitledClient

@Suite struct URLSessionTransportTests {
    func request(_ server: LoopbackServer, limit: Int = 1_000) -> TransportRequest {
        TransportRequest(
            method: "GET", url: "http://127.0.0.1:\(server.port)/x", headers: ["Authorization": "Bearer t"], body: nil,
            timeout: 20_000, answerLimit: limit)
    }

    @Test func anAnswerComesWhole() async throws {
        let server = try LoopbackServer(
            .bytes("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nEntitlement-Cursor: c\r\nConnection: close\r\n\r\nhello"))
        let response = try await URLSessionTransport().send(request(server))
        #expect(response.status == 200)
        #expect(response.body == Array("hello".utf8))
        #expect(response.headers["entitlement-cursor"] == "c")
        #expect(AnswerPace(response.headers).closes)
        #expect(server.seen.first?.contains("Authorization: Bearer t") == true)
    }

    @Test func aRefusalAndAnEmptyAnswerAreAnswers() async throws {
        let refusing = try LoopbackServer(.bytes("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n"))
        #expect(try await URLSessionTransport().send(request(refusing)).status == 401)
        let empty = try LoopbackServer(.bytes("HTTP/1.1 204 No Content\r\nEntitlement-Cursor: c2\r\n\r\n"))
        #expect(ServiceAnswer(try await URLSessionTransport().send(request(empty))) == .unchanged(cursor: "c2"))
    }

    @Test func aRedirectIsNotFollowed() async throws {
        let portal = try LoopbackServer(.bytes("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
        let server = try LoopbackServer(
            .bytes(
                "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:\(portal.port)/\r\nContent-Length: 0\r\n\r\n"))
        let response = try? await URLSessionTransport().send(request(server))
        #expect(response.map { ServiceAnswer($0) == .unreachable } ?? true)
        #expect(portal.seen.isEmpty)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\ntoo short", "garbage", "",
        "HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n" + String(repeating: "x", count: 2_000),
    ])
    func aBrokenOrTooLongAnswerIsNone(_ bytes: String) async throws {
        let server = try LoopbackServer(.bytes(bytes))
        await #expect(throws: (any Error).self) { try await URLSessionTransport().send(request(server)) }
    }

    @Test func aHeldRequestEndsWhenItIsGivenUp() async throws {
        let server = try LoopbackServer(.silence)
        let task = Task { try await URLSessionTransport().send(request(server)) }
        while server.seen.isEmpty { await Task.yield() }
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
    }
}
