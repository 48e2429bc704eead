import Testing

@testable import Sync

@Suite struct BoundedMemoryTests {
    @Test func whatIsTakenIsGone() {
        var memory = BoundedMemory<Int, String>(limit: 100)
        memory.keep("a", of: 1, cost: 10)
        #expect(memory.take(1) == "a")
        #expect(memory.take(1) == nil)
        memory.keep("b", of: 1, cost: 10)
        memory.keep("c", of: 1, cost: 10)
        #expect(memory.count == 1)
        #expect(memory.take(1) == "c")
        memory.keep("d", of: 1, cost: 10)
        memory.removeAll()
        #expect(memory.take(1) == nil)
    }

    @Test func costsStayWithinTheLimit() {
        let seed = UInt64.random(in: 0 ... .max)
        print("costsStayWithinTheLimit seed \(seed)")
        var random = SplitMix(seed: seed)
        var memory = BoundedMemory<Int, Int>(limit: 1000)
        for _ in 0..<10_000 {
            let key = Int.random(in: 0..<300, using: &random)
            if Bool.random(using: &random) { _ = memory.take(key) }
            // The value is its own cost.
            let cost = Int.random(in: 0...600, using: &random)
            memory.keep(cost, of: key, cost: cost)
            var copy = memory
            let sum = (0..<300).reduce(0) { $0 + (copy.take($1) ?? 0) }
            #expect(sum <= 1000)
        }
    }

    @Test func whatWasUsedLastStays() {
        var memory = BoundedMemory<Int, Int>(limit: 20)
        for key in 0..<100 {
            memory.keep(key, of: key, cost: 1)
            if let first = memory.take(0) { memory.keep(first, of: 0, cost: 1) }
        }
        #expect(memory.take(0) == 0)
        #expect(memory.take(99) == 99)
        #expect(memory.take(50) == nil)
    }

    @Test func noRoomKeepsNothing() {
        var memory = BoundedMemory<Int, Int>(limit: 0)
        memory.keep(1, of: 1, cost: 1)
        #expect(memory.count == 0)
        var small = BoundedMemory<Int, Int>(limit: 10)
        small.keep(1, of: 1, cost: 6)
        #expect(small.take(1) == nil)
    }
}
