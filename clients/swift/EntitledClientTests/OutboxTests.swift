import Entitlements
import Testing

@testable import EntitledClient

@Suite struct OutboxTests {
    let world: World
    let account: AccountID

    init() throws {
        world = try World()
        account = try #require(AccountID(World.account))
    }

    func open(limits: ClientLimits = ClientLimits()) throws -> Outbox {
        try Outbox(accountDirectory: world.accountDirectory(), account: account, limits: limits)
    }

    func items(_ range: Range<Int>) -> [OutboxItem] { range.map { OutboxItem(.transaction, "h.payload\($0).s") } }

    @Test func whatIsHandedOverIsThereAfterARestart() throws {
        let outbox = try open()
        try outbox.add(items(0..<3) + [OutboxItem(.renewalInfo, "h.r.s")])
        try outbox.complete([items(1..<2)[0].id])
        let again = try open()
        #expect(again.items.map(\.signed) == ["h.payload0.s", "h.payload2.s", "h.r.s"])
        #expect(again.items.last?.kind == .renewalInfo)
        #expect(again.damagedLines == 0)
    }

    @Test func theSameObjectIsKeptOnce() throws {
        let outbox = try open()
        try outbox.add(items(0..<2) + items(0..<1))
        try outbox.add(items(1..<3))
        #expect(outbox.items == items(0..<3))
        #expect(try open().items == items(0..<3))
    }

    /// A crash can leave any beginning of the file. Whatever was told to be lasting before that byte is there, once.
    @Test func aFileCutAtAnyByteLosesNothingThatWasWhole() throws {
        let path = try world.file("outbox.log")
        let outbox = try open()
        var steps: [(length: Int, pending: [OutboxItem])] = [(0, [])]
        for step in 0..<4 {
            try outbox.add(items(step..<step + 1))
            steps.append((try read(path).count, outbox.items))
        }
        try outbox.complete([items(0..<1)[0].id])
        steps.append((try read(path).count, outbox.items))
        let whole = try read(path)
        for length in 0...whole.count {
            try write(Array(whole.prefix(length)), path)
            let expected = try #require(steps.last { $0.length <= length })
            let again = try open()
            #expect(again.items == expected.pending, "cut at \(length)")
            #expect(again.damagedLines == 0)
            // It goes on from there, behind what was whole.
            try again.add(items(9..<10))
            #expect(try open().items == expected.pending + items(9..<10), "cut at \(length)")
        }
    }

    @Test func aChangedByteCostsAtMostItsLines() throws {
        let path = try world.file("outbox.log")
        try open().add(items(0..<4))
        let whole = try read(path)
        for index in whole.indices {
            var changed = whole
            changed[index] ^= 0x01
            try write(changed, path)
            let again = try open()
            #expect(again.items.count >= 2, "byte \(index)")
            #expect(Set(again.items).isSubset(of: Set(items(0..<4))), "byte \(index)")
        }
    }

    @Test func anotherAccountsObjectsAreNeverSent() throws {
        try open().add(items(0..<2))
        let other = try Outbox(
            accountDirectory: world.accountDirectory(), account: #require(AccountID(World.otherAccount)),
            limits: ClientLimits())
        #expect(other.items.isEmpty)
        #expect(other.damagedLines == 2)
    }

    @Test func aFullOutboxSaysSoAndTakesNothing() throws {
        var limits = ClientLimits()
        limits.outboxCount = 3
        let outbox = try open(limits: limits)
        try outbox.add(items(0..<2))
        #expect(throws: ClientError.self) { try outbox.add(items(2..<4)) }
        #expect(outbox.items == items(0..<2))
        try outbox.add(items(0..<3))
        limits.outboxBytes = 40
        let small = try open(limits: limits)
        #expect { try small.add(items(7..<8)) } throws: { ($0 as? ClientError)?.code == .outboxFull }
    }

    @Test func theFileStaysSmall() throws {
        let path = try world.file("outbox.log")
        let outbox = try open()
        try outbox.add(items(0..<2))
        for turn in 10..<1_000 {
            try outbox.add(items(turn..<turn + 1))
            try outbox.complete([items(turn..<turn + 1)[0].id])
        }
        #expect(try read(path).count < 20_000)
        #expect(try open().items == items(0..<2))
    }

    @Test func nothingOfWhatWasSentStaysOnTheDisk() throws {
        let outbox = try open()
        try outbox.add(items(0..<2))
        try outbox.complete(Set(items(0..<2).map(\.id)))
        #expect(try read(world.file("outbox.log")).isEmpty)
        try outbox.add(items(2..<3))
        #expect(try open().items == items(2..<3))
    }

    @Test func batchesAreBoundedByCountAndBytes() throws {
        let outbox = try open()
        try outbox.add(items(0..<10))
        #expect(outbox.nextBatch(count: 3, bytes: 1_000) == items(0..<3))
        #expect(outbox.nextBatch(count: 100, bytes: 25) == items(0..<2))
        // One object that is longer than a batch still goes.
        #expect(outbox.nextBatch(count: 100, bytes: 1) == items(0..<1))
        outbox.postpone([items(0..<1)[0].id])
        #expect(outbox.nextBatch(count: 1, bytes: 1_000) == items(1..<2))
    }
}
