import Testing

@testable import EntitledClient

@Suite struct AnswerReaderTests {
    /// Feeds pieces of a size; nil when it is no answer.
    private func read(_ text: String, pieces size: Int = 7, limit: Int = 100) -> TransportResponse? {
        var reader = AnswerReader(limit: limit)
        var rest = Array(text.utf8)[...]
        do {
            while !rest.isEmpty, !reader.isComplete {
                try reader.take(Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            return try reader.finished()
        } catch {
            return nil
        }
    }

    private static let counted =
        "HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nX:\t 1 \r\nx: 2\r\nContent-Length: 5\r\n\r\nhello"
    private static let chunked =
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;name=v\r\nhel\r\n2 \r\nlo\r\n0\r\nT: 1\r\n\r\n"

    @Test(arguments: [1, 2, 3, 7, 1000])
    func anAnswerIsTheSameInWhateverPiecesItComes(size: Int) {
        let counted = read(Self.counted, pieces: size)
        #expect(counted?.body == Array("hello".utf8))
        #expect(counted?.headers == ["content-type": "a/b", "x": "1, 2", "content-length": "5"])
        #expect(read(Self.chunked, pieces: size)?.body == Array("hello".utf8))
    }

    @Test(arguments: [counted, chunked])
    func anAnswerThatIsCutAnywhereIsNone(_ text: String) {
        for length in 0..<text.utf8.count {
            #expect(read(String(decoding: Array(text.utf8)[..<length], as: UTF8.self)) == nil, "after \(length) bytes")
        }
    }

    @Test func wordsBeforeTheAnswerArePassedOver() {
        let text =
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 204 No\r\nA: b\r\n\r\n"
        #expect(read(text) == TransportResponse(status: 204, headers: ["a": "b"]))
    }

    @Test func withoutALengthItEndsWithTheConnection() {
        #expect(read("HTTP/1.0 200 OK\r\n\r\nhello")?.body == Array("hello".utf8))
    }

    @Test(arguments: [
        "garbage\r\n\r\n", "HTTP/2 200\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1\r\n\r\n",
        "HTTP/1.1 200 OK\r\n: x\r\n\r\n", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n", "HTTP/1.1 200 OK\r\na b: c\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX: a\nY: b\r\n\r\n", "HTTP/1.1 200 OK\r\nX: a\0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\n\r\nhello", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n" + String(repeating: "x", count: 101),
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffff\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n",
        "HTTP/1.0 200 OK\r\n\r\n" + String(repeating: "x", count: 101),
        "HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 40_000) + "\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;" + String(repeating: "x", count: 10_000),
    ])
    func whatIsNotClearlyAnAnswerIsNone(_ text: String) { #expect(read(text, pieces: 1000) == nil) }

    @Test func noiseIsNone() {
        for _ in 0..<200 {
            var reader = AnswerReader(limit: 100)
            let noise = (0..<300).map { _ in UInt8.random(in: 0...255) }
            #expect(throws: ClientError.self) {
                try reader.take(noise)
                _ = try reader.finished()
            }
        }
    }
}
