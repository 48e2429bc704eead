import EventLoop
import Glibc
import Synchronization

/// Runs a test with a loop of its own and shuts it down after.
func withLoop(_ body: (EventLoop) async throws -> Void) async throws {
    let loop = try EventLoop()
    do {
        try await body(loop)
    } catch {
        await loop.shutdown()
        throw error
    }
    await loop.shutdown()
}

/// What callbacks report, for a test to wait for.
final class EventStream<Element: Sendable>: Sendable {
    private let stream: AsyncStream<Element>
    private let continuation: AsyncStream<Element>.Continuation

    init() { (stream, continuation) = AsyncStream<Element>.makeStream() }

    func send(_ element: Element) { continuation.yield(element) }

    func next() async -> Element? {
        var iterator = stream.makeAsyncIterator()
        return await iterator.next()
    }
}

/// Two connected sockets; the far one belongs to the test.
final class SocketPair: Sendable {
    let near: Int32
    private let far: Int32
    private let isFarClosed = Atomic<Bool>(false)

    init() throws {
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { throw SocketFailure(errno: errno) }
        (near, far) = (ends[0], ends[1])
    }

    deinit {
        close(near)
        closeFar()
    }

    func writeFar(_ text: String) { _ = Array(text.utf8).withUnsafeBytes { send(far, $0.baseAddress, $0.count, 0) } }

    func closeFar() {
        if !isFarClosed.exchange(true, ordering: .relaxed) { close(far) }
    }
}

/// A system call of the test's own client failed.
struct SocketFailure: Error {
    let errno: Int32
}

/// Random numbers that a printed seed brings back (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Counts from any thread.
final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .sequentiallyConsistent) }

    @discardableResult
    func increment() -> Int { count.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue }
}

/// Returns once the loop has turned for at least this long, so that what was due before it has happened.
func letPass(_ duration: Duration, on loop: EventLoop) async {
    await withCheckedContinuation { continuation in
        loop.schedule(after: duration) { continuation.resume() }
    }
}
