import EventLoop
import Synchronization
import Testing

/// An actor whose executor is a loop.
private actor Resident {
    private let loop: EventLoop
    private var count = 0

    init(loop: EventLoop) { self.loop = loop }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    func isAtHome() -> Bool { loop.isOnLoop }

    func countUp() -> Int {
        count += 1
        return count
    }

    nonisolated func countUpFromCallback() -> Int {
        assumeIsolated {
            $0.count += 1; return $0.count
        }
    }
}

@Suite struct EventLoopTests {
    @Test func actorOfALoopRunsOnIt() async throws {
        try await withLoop { loop in
            let resident = Resident(loop: loop)
            #expect(await resident.isAtHome())
            #expect(await resident.countUp() == 1)
            #expect(await loop.run { resident.countUpFromCallback() } == 2)
            #expect(!loop.isOnLoop)
        }
    }

    @Test func taskThatPrefersALoopRunsOnIt() async throws {
        try await withLoop { loop in
            let places = await Task(executorPreference: loop) {
                let before = loop.isOnLoop
                await Task.yield()
                return [before, loop.isOnLoop]
            }.value
            #expect(places == [true, true])
        }
    }

    @Test func workFromManyThreadsAllRuns() async throws {
        try await withLoop { loop in
            let ran = Counter()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        for _ in 0..<100 { loop.execute { ran.increment() } }
                    }
                }
            }
            await loop.run {}
            #expect(ran.value == 10_000)
        }
    }

    @Test func workQueuedOnTheLoopRunsInOrder() async throws {
        try await withLoop { loop in
            let order = Mutex<[Int]>([])
            await loop.run {
                for number in 0..<3 { loop.execute { order.withLock { $0.append(number) } } }
                order.withLock { $0.append(-1) }
            }
            await loop.run {}
            #expect(order.withLock { $0 } == [-1, 0, 1, 2])
        }
    }

    @Test func workThatQueuesItselfForeverDoesNotStopTimers() async throws {
        try await withLoop { loop in
            let isOver = Counter()
            @Sendable func again() {
                if isOver.value == 0 { loop.execute { again() } }
            }
            loop.execute { again() }
            await letPass(.milliseconds(5), on: loop)
            isOver.increment()
        }
    }

    @Test func shutdownRunsWhatWasQueuedAndForgetsTimers() async throws {
        let loop = try EventLoop()
        let ran = Counter()
        loop.schedule(after: .seconds(3600)) { ran.increment() }
        for _ in 0..<10 { loop.execute { ran.increment() } }
        await loop.shutdown()
        #expect(ran.value == 10)
        await loop.shutdown()
    }

    @Test func groupHandsOutItsLoopsInTurn() async throws {
        let group = try EventLoopGroup(loopCount: 2)
        #expect(group.next() === group.loops[0])
        #expect(group.next() === group.loops[1])
        #expect(group.next() === group.loops[0])
        await group.shutdown()
    }
}
