import Dispatch
public import Entitlements
import Glibc
import Signatures
import Synchronization

/// JSON lines for machines and people, written by a thread of their own, so that a slow reader holds up no loop.
///
/// Takes no signed object, token, key or account: values are numbers, fixed words and short hashes.
public final class Log: Sendable {
    /// Where finished lines go, one or more at a time, line breaks included. Called on one thread at a time.
    public typealias Sink = @Sendable ([UInt8]) -> Void

    /// What is below is not written.
    public let level: LogLevel
    private let sink: Sink
    private let now: @Sendable () -> Milliseconds
    private struct Buffer {
        var lines: [UInt8] = []
        var count = 0
        var isScheduled = false
    }

    private let queue = DispatchQueue(label: "entitled.log")
    private let buffer = Mutex(Buffer())
    /// Lines that the sink has not taken yet.
    private let waiting = Atomic<Int>(0)
    private let dropped = Atomic<Int>(0)

    /// Lines that may wait for the reader; more are dropped and counted.
    private static let maximumWaiting = 10_000
    /// Lines are gathered for so long: waking a thread for each costs a busy service more than the line itself.
    private static let gathering = DispatchTimeInterval.milliseconds(5)

    /// A log; by default on standard error.
    public init(
        level: LogLevel, sink: @escaping Sink = Log.standardError, now: @escaping @Sendable () -> Milliseconds
    ) {
        self.level = level
        self.sink = sink
        self.now = now
    }

    /// Writes to standard error.
    public static let standardError: Sink = { line in
        var rest = line[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { return }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// Writes a line about an event, with members that `body` adds.
    public func write(_ level: LogLevel, _ event: String, _ body: (inout JSONWriter) -> Void = { _ in }) {
        guard level >= self.level else { return }
        guard waiting.add(1, ordering: .relaxed).newValue <= Self.maximumWaiting else {
            waiting.subtract(1, ordering: .relaxed)
            dropped.add(1, ordering: .relaxed)
            return
        }
        var writer = JSONWriter(capacity: 256)
        let lost = dropped.exchange(0, ordering: .relaxed)
        writer.object { writer in
            writer.member("time", now())
            writer.member("level", level.rawValue)
            writer.member("event", event)
            if lost > 0 { writer.member("linesDropped", Int64(lost)) }
            body(&writer)
        }
        let isFirst = buffer.withLock { buffer in
            buffer.lines += writer.bytes
            buffer.lines.append(UInt8(ascii: "\n"))
            buffer.count += 1
            defer { buffer.isScheduled = true }
            return !buffer.isScheduled
        }
        if isFirst { queue.asyncAfter(deadline: .now() + Self.gathering) { self.pass() } }
    }

    /// Hands what was gathered to the sink. On the queue.
    private func pass() {
        let (lines, count) = buffer.withLock { buffer in
            defer { buffer = Buffer() }
            return (buffer.lines, buffer.count)
        }
        if count > 0 { sink(lines) }
        waiting.subtract(count, ordering: .relaxed)
    }

    /// Waits until every line so far is written. Blocks: for the end of the program and for tests.
    public func flush() {
        queue.sync { pass() }
    }

    /// What an account appears as: enough to see that two lines are about the same one, too little to find out which.
    static func tag(of account: AccountID) -> String {
        Hex.encode(SHA256.hash(Array(account.description.utf8)).bytes.prefix(4))
    }
}
