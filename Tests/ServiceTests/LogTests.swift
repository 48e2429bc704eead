import Entitlements
import Foundation
import Synchronization
import Testing

@testable import Service

/// Collects what a log writes.
final class LogLines: Sendable {
    private let bytes = Mutex<[[UInt8]]>([])

    var sink: Log.Sink {
        { line in self.bytes.withLock { $0.append(line) } }
    }

    var text: String { bytes.withLock { String(decoding: $0.joined(), as: UTF8.self) } }

    func objects() throws -> [JSONObject] {
        let chunks = bytes.withLock { $0 }
        #expect(chunks.allSatisfy { $0.last == UInt8(ascii: "\n") })
        return try chunks.joined().split(separator: UInt8(ascii: "\n")).map { line in
            try #require(try JSONValue(parsing: Array(line)).objectValue)
        }
    }
}

@Suite struct LogTests {
    @Test func linesAreJSONAndBelowTheLevelNothingIsWritten() throws {
        let lines = LogLines()
        let log = Log(level: .warning, sink: lines.sink) { 42 }
        log.write(.info, "quiet")
        log.write(.error, "loud") { $0.member("line", "a\nb") }
        log.flush()
        let objects = try lines.objects()
        #expect(objects == [["time": 42, "level": "error", "event": "loud", "line": "a\nb"]])
    }

    @Test func aSlowReaderLosesLinesAndIsToldHowMany() throws {
        let gate = DispatchSemaphore(value: 0)
        let lines = LogLines()
        let log = Log(
            level: .info,
            sink: { line in
                gate.wait()
                lines.sink(line)
            }
        ) { 0 }
        for _ in 0..<10_007 { log.write(.info, "flood") }
        for _ in 0..<10_000 { gate.signal() }
        log.flush()
        gate.signal()
        log.write(.info, "after")
        log.flush()
        #expect(try lines.objects().last == ["time": 0, "level": "info", "event": "after", "linesDropped": 7])
    }

    @Test func accountsAppearAsAShortHash() throws {
        let account = try #require(AccountID("A1A1A1A1-0000-4000-8000-00000000000A"))
        let tag = Log.tag(of: account)
        #expect(tag.count == 8 && !account.description.contains(tag))
        #expect(tag == Log.tag(of: try #require(AccountID(account.description))))
    }
}
