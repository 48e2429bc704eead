import Testing

@testable import EventLoop

@Suite struct RequestReaderTests {
    static let limits = RequestReader.Limits(headBytes: 1_000, bodyBytes: 1_000, fields: 10)

    /// Requests of every framing, one after the other, and a refusal at the end.
    static let stream = Array(
        ("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n"
            + "POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nGET /"
            + "\r\nPOST /3 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n\r\n\r\n\r\n2\r\nab\r\n0\r\nX: y\r\n\r\n"
            + "HEAD /4 HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"
            + "GET /5 HTTP/1.1\r\n\r\nGET /6 HTTP/1.1\r\nHost: a\r\n\r\n").utf8)

    @Test func framingIsTheSameHoweverTheBytesArrive() throws {
        let whole = outcomes(of: [Self.stream])
        #expect(
            whole == [
                "GET /1 []", "POST /2 [GET /]", "POST /3 [\r\n\r\nab]", "HEAD /4 []",
                "refused 400 Exactly one Host header is required.",
            ])
        #expect(outcomes(of: Self.stream.map { [$0] }) == whole)
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            var pieces: [[UInt8]] = []
            var rest = Self.stream[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...40, using: &random)
                pieces.append(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            try #require(outcomes(of: pieces) == whole, "seed \(seed)")
        }
    }

    /// Whatever a changed byte makes of the stream: the reader neither traps nor reads on after a refusal.
    @Test func readerSurvivesDamagedStreams() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            var damaged = Self.stream
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let seen = outcomes(of: [damaged])
            let refusals = seen.indices.filter { seen[$0].hasPrefix("refused ") }
            try #require(refusals.isEmpty || refusals == [seen.count - 1], "seed \(seed)")
        }
    }

    @Test func nothingIsDeliveredBeforeTheAnswerIsOut() {
        var reader = RequestReader()
        reader.append(Self.stream)
        guard case .deliver = reader.nextAction(Self.limits) else { Issue.record("no request"); return }
        guard case .wait = reader.nextAction(Self.limits) else { Issue.record("second request too early"); return }
        #expect(!reader.isIdle && !reader.isReceiving && reader.isAccepting)
    }

    @Test func restingReaderKeepsNoBytes() {
        var reader = RequestReader()
        #expect(reader.isIdle)
        reader.append(Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
        #expect(reader.isReceiving)
        _ = reader.nextAction(Self.limits)
        #expect(reader.pendingCount == 0)
        reader.finishExchange()
        #expect(reader.isIdle)
    }

    private func outcomes(of pieces: [[UInt8]]) -> [String] {
        var reader = RequestReader()
        var seen: [String] = []
        for piece in pieces {
            reader.append(piece)
            actions: while true {
                switch reader.nextAction(Self.limits) {
                case .wait: break actions
                case .openBody: break
                case .deliver(let head, let body):
                    seen.append("\(head.method) \(head.target) [\(String(decoding: body, as: UTF8.self))]")
                    reader.finishExchange()
                case .refuse(let problem): seen.append("refused \(problem.status) \(problem.detail)")
                }
            }
        }
        return seen
    }
}
