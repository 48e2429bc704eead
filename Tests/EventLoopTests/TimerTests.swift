import Synchronization
import Testing

@testable import EventLoop

@Suite struct TimerTests {
    @Test func timersFireInOrderOfTheirTime() async throws {
        try await withLoop { loop in
            let order = Mutex<[Int]>([])
            await withCheckedContinuation { continuation in
                loop.execute {
                    for delay in [30, 10, 20, 10, 0] {
                        loop.schedule(after: .milliseconds(delay)) { order.withLock { $0.append(delay) } }
                    }
                    loop.schedule(after: .milliseconds(31)) { continuation.resume() }
                }
            }
            #expect(order.withLock { $0 } == [0, 10, 10, 20, 30])
        }
    }

    @Test func timerNeverFiresEarly() async throws {
        try await withLoop { loop in
            let start = loop.now
            await letPass(.microseconds(12_700), on: loop)
            #expect(loop.now - start >= .microseconds(12_700))
        }
    }

    @Test func cancelledTimerDoesNotFire() async throws {
        try await withLoop { loop in
            let fired = Counter()
            await withCheckedContinuation { continuation in
                loop.execute {
                    let timer = loop.schedule(after: .milliseconds(1)) { fired.increment() }
                    timer.cancel()
                    timer.cancel()
                    loop.schedule(after: .milliseconds(5)) { continuation.resume() }
                }
            }
            #expect(fired.value == 0)
        }
    }

    @Test func timerCancelledFromAnotherThreadBeforeItsTimeDoesNotFire() async throws {
        try await withLoop { loop in
            let fired = Counter()
            let timer = loop.schedule(after: .milliseconds(200)) { fired.increment() }
            timer.cancel()
            await letPass(.milliseconds(210), on: loop)
            #expect(fired.value == 0)
        }
    }

    @Test func timersSetByATimerWaitForTheNextTurn() async throws {
        try await withLoop { loop in
            let turns = Counter()
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                @Sendable func tick() {
                    if turns.increment() == 1_000 {
                        continuation.resume()
                    } else {
                        loop.schedule(after: .zero) { tick() }
                    }
                }
                loop.schedule(after: .zero) { tick() }
            }
            #expect(turns.value == 1_000)
        }
    }

    /// Against a sorted list, with random additions and removals.
    @Test func heapAgreesWithASortedList() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        let loop = try EventLoop()
        var heap = TimerHeap()
        var model: [(deadline: Int64, order: Int, timer: EventLoop.Timer)] = []
        for step in 0..<5_000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<6:
                let deadline = Int64.random(in: 0..<500, using: &random)
                let timer = EventLoop.Timer(loop: loop, deadline: deadline) {}
                heap.add(timer)
                model.append((deadline, step, timer))
            case 6..<8:
                guard let index = model.indices.randomElement(using: &random) else { continue }
                heap.remove(model.remove(at: index).timer)
            default:
                let now = Int64.random(in: 0..<300, using: &random)
                let expected = model.filter { $0.deadline <= now }.min {
                    ($0.deadline, $0.order) < ($1.deadline, $1.order)
                }
                let popped = heap.popDue(at: now)
                try #require(popped === expected?.timer, "seed \(seed), step \(step)")
                model.removeAll { $0.timer === popped }
            }
            try #require(heap.count == model.count, "seed \(seed), step \(step)")
        }
    }
}
