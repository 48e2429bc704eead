import EventLoop
import Glibc
import Synchronization
import Testing

@Suite struct WatchTests {
    @Test func watchTellsOfBytesAndOfTheEnd() async throws {
        try await withLoop { loop in
            let pair = try SocketPair()
            let seen = EventStream<Readiness>()
            let watch = loop.watch(descriptor: pair.near, interest: .read) { readiness in
                var byte: UInt8 = 0
                recv(pair.near, &byte, 1, 0)
                seen.send(readiness)
            }
            pair.writeFar("x")
            #expect(await seen.next() == .read)
            pair.closeFar()
            #expect(await seen.next() == .read)
            watch.cancel()
            await loop.run {}
        }
    }

    @Test func changedInterestCounts() async throws {
        try await withLoop { loop in
            let pair = try SocketPair()
            let seen = EventStream<Readiness>()
            let last = Mutex<Readiness>([])
            let watch = loop.watch(descriptor: pair.near, interest: []) { readiness in
                // A socket is ready to write all the time; only changes are of interest.
                let isNew = last.withLock { last in
                    defer { last = readiness }
                    return last != readiness
                }
                if isNew { seen.send(readiness) }
            }
            await loop.run { watch.update(.write) }
            #expect(await seen.next() == .write)
            await loop.run { watch.update([]) }
            pair.writeFar("x")
            await loop.run { watch.update([.read, .write]) }
            #expect(await seen.next() == [.read, .write])
            await loop.run { watch.cancel() }
        }
    }

    @Test func cancelledWatchIsSilentAndStaysSo() async throws {
        try await withLoop { loop in
            let pair = try SocketPair()
            let called = Counter()
            let watch = loop.watch(descriptor: pair.near, interest: .read) { _ in
                called.increment()
            }
            await loop.run { watch.cancel() }
            watch.update(.read)
            pair.writeFar("x")
            await letPass(.milliseconds(5), on: loop)
            #expect(called.value == 0)
        }
    }

    @Test func watchMayCancelItselfInItsHandler() async throws {
        try await withLoop { loop in
            let pair = try SocketPair()
            let called = Counter()
            let own = Mutex<EventLoop.Watch?>(nil)
            await withCheckedContinuation { continuation in
                loop.execute {
                    let watch = loop.watch(descriptor: pair.near, interest: .write) { _ in
                        called.increment()
                        own.withLock { $0.take() }?.cancel()
                        loop.schedule(after: .milliseconds(5)) { continuation.resume() }
                    }
                    own.withLock { $0 = watch }
                }
            }
            #expect(called.value == 1)
        }
    }
}
