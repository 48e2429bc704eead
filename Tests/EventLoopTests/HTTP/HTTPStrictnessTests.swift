import EventLoop
import Testing

/// Shapes that two parsers of a chain may read differently. Each must be refused, and what follows never be read.
@Suite struct HTTPStrictnessTests {
    static let smuggled = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"

    static let refusedHeads: [(shape: String, head: String)] = [
        ("length and coding", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"),
        ("coding and length", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n"),
        ("two lengths that differ", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Length: 5\r\n\r\n"),
        ("two lengths that agree", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n"),
        ("list of lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5, 5\r\n\r\n"),
        ("signed length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n\r\n"),
        ("negative length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n"),
        ("hexadecimal length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x5\r\n\r\n"),
        ("empty length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\n"),
        ("length that overflows", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 18446744073709551621\r\n\r\n"),
        ("unknown coding", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n"),
        ("two codings", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"),
        ("identity", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity\r\n\r\n"),
        (
            "chunked twice",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n"
        ),
        ("quoted coding", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \"chunked\"\r\n\r\n"),
        ("vertical tab before coding", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \u{0B}chunked\r\n\r\n"),
        ("coding on HTTP/1.0", "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"),
        ("space before the colon", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length : 5\r\n\r\n"),
        ("tab before the colon", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding\t: chunked\r\n\r\n"),
        ("space in a name", "GET / HTTP/1.1\r\nHost: a\r\nX Y: 1\r\n\r\n"),
        ("empty name", "GET / HTTP/1.1\r\nHost: a\r\n: 1\r\n\r\n"),
        ("no colon", "GET / HTTP/1.1\r\nHost: a\r\nfoo\r\n\r\n"),
        ("folded line", "GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\n Content-Length: 5\r\n\r\n"),
        ("space before the first header", "GET / HTTP/1.1\r\n Host: a\r\nHost: a\r\n\r\n"),
        ("NUL in a value", "GET / HTTP/1.1\r\nHost: a\r\nX: a\u{00}b\r\n\r\n"),
        ("bare CR in a value", "GET / HTTP/1.1\r\nHost: a\r\nX: a\rContent-Length: 5\r\n\r\n"),
        ("bare LF as line end", "GET / HTTP/1.1\nHost: a\n\n"),
        ("bare LF in a value", "GET / HTTP/1.1\r\nHost: a\r\nX: a\nContent-Length: 5\r\n\r\n"),
        ("control character in a value", "GET / HTTP/1.1\r\nHost: a\r\nX: a\u{07}b\r\n\r\n"),
        ("no Host", "GET / HTTP/1.1\r\nX: a\r\n\r\n"),
        ("two Hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"),
        ("two Hosts on HTTP/1.0", "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n"),
        ("two spaces in the request line", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("tab in the request line", "GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("space in the target", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("no version", "GET /\r\nHost: a\r\n\r\n"),
        ("lower case version", "GET / http/1.1\r\nHost: a\r\n\r\n"),
        ("relative target", "GET a HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("authority as target", "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("broken escape in the path", "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("cut escape in the query", "GET /?a=%2 HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("escaped NUL in the query", "GET /?a=%00 HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("query that is not UTF-8", "GET /?a=%FF HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("empty lines before the request", "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
    ]

    static let refusedChunks: [(shape: String, body: String)] = [
        ("prefixed size", "0x5\r\nabcde\r\n0\r\n\r\n"),
        ("signed size", "+5\r\nabcde\r\n0\r\n\r\n"),
        ("space before the size", " 5\r\nabcde\r\n0\r\n\r\n"),
        ("space after the size", "5 \r\nabcde\r\n0\r\n\r\n"),
        ("extension", "5;a=b\r\nabcde\r\n0\r\n\r\n"),
        ("bare LF after the size", "5\nabcde\r\n0\r\n\r\n"),
        ("no line end after the data", "5\r\nabcde0\r\n\r\n"),
        ("empty line for a size", "\r\n5\r\nabcde\r\n0\r\n\r\n"),
        ("size that overflows", "FFFFFFFFFFFFFFFFF\r\nabcde\r\n0\r\n\r\n"),
        ("bare LF in the trailer", "0\r\nX: a\n\r\n\r\n"),
    ]

    @Test(arguments: refusedHeads) func headIsRefusedAndTheConnectionClosed(shape: String, head: String) async throws {
        try await expectRefusal(of: head + Self.smuggled)
    }

    @Test(arguments: refusedChunks) func bodyIsRefusedAndTheConnectionClosed(shape: String, body: String) async throws {
        let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        try await expectRefusal(of: head + body + Self.smuggled)
    }

    /// The good request in front is answered; only then comes the refusal.
    @Test func refusalBehindAPipelinedRequestKeepsTheOrder() async throws {
        try await withServer { server in
            let client = try RawClient(port: server.port)
            await client.send("GET /good HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\n\r\n" + Self.smuggled)
            #expect(try await client.response().body == "GET /good ")
            #expect(try await client.response().status == 400)
            client.finishSending()
            #expect(await client.rest() == "")
            #expect(server.counters.requests == 1)
        }
    }

    @Test(arguments: ["HTTP/2.0", "HTTP/1.2", "HTTP/0.9"]) func otherVersionIsRefused(version: String) async throws {
        try await expectRefusal(
            of: "GET / \(version)\r\nHost: a\r\n\r\n", status: 505, code: "versionNotSupported")
    }

    @Test func unknownExpectationIsRefused() async throws {
        try await expectRefusal(
            of: "GET / HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n", status: 417, code: "expectationFailed")
    }

    private func expectRefusal(of bytes: String, status: Int = 400, code: String = "malformedRequest") async throws {
        let handled = Counter()
        let handler: HTTPServer.Handler = { request, responder in
            handled.increment()
            echo(request, responder)
        }
        try await withServer(handler: handler) { server in
            let client = try RawClient(port: server.port)
            await client.send(bytes)
            let response = try await client.response()
            #expect(response.status == status)
            #expect(response.headers["content-type"] == "application/problem+json")
            #expect(response.headers["connection"] == "close")
            #expect(response.body.hasPrefix(#"{"type":"about:blank","title":""#))
            #expect(response.body.contains(#""status":\#(status),"code":"\#(code)","detail":""#))
            client.finishSending()
            #expect(await client.rest() == "")
            #expect(handled.value == 0)
            #expect(server.counters.refusedRequests == 1)
        }
    }
}
