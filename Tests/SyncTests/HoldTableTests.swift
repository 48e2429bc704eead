import Entitlements
import EventLog
import Foundation
import Testing

@testable import Sync

@Suite struct HoldTableTests {
    static func stream(_ number: UInt8) -> StreamID {
        StreamKey(
            app: 1, environment: .production,
            account: AccountID(UUID(uuid: (number, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)))
        ).id
    }

    static func order(_ version: Int64, asOf: Milliseconds = 100) -> ViewOrder {
        ViewOrder(epoch: 1, activation: 1, version: version, asOf: asOf)
    }

    var table = HoldTable<Int>()

    mutating func enter(
        _ stream: StreamID, version: Int64, next: Milliseconds? = nil, deadline: Milliseconds = 1000,
        device: UInt64? = nil, token: Int = 0
    ) -> [HoldTable<Int>.Action] {
        table.enter(
            stream: stream, app: 1, seen: Self.order(version), nextChangeAt: next, deadline: deadline, device: device,
            token: token
        ).actions
    }

    /// Short words for actions.
    static func words(_ actions: [HoldTable<Int>.Action]) -> [String] {
        actions.map { action in
            switch action {
            case .readHead: "read"
            case .evaluate: "evaluate"
            case .answerUnchanged(let hold): "unchanged \(hold.token)"
            }
        }.sorted()
    }

    @Test mutating func theHeadIsReadAfterAHoldIsEntered() {
        let stream = Self.stream(1)
        #expect(Self.words(enter(stream, version: 3)) == ["read"])
        #expect(Self.words(table.headRead(stream, version: 3)) == [])
        // The head is known from here on: a poll that comes back costs no read.
        #expect(Self.words(enter(stream, version: 3)) == [])
        #expect(Self.words(enter(stream, version: 2)) == ["evaluate"])
    }

    /// A poll for what happened: neither another catalog nor time alone is news to it, an event is.
    @Test mutating func aHoldForEventsWaitsForEvents() {
        let stream = Self.stream(1)
        _ = table.enter(
            stream: stream, app: 1, seen: Self.order(3), nextChangeAt: nil, deadline: 1000, device: nil,
            watches: .events, token: 7)
        #expect(Self.words(table.activated(app: 1, activation: 2)) == [])
        let laterCatalog = ViewOrder(epoch: 1, activation: 2, version: 3, asOf: 200)
        #expect(table.answerable(stream, order: laterCatalog, nextChangeAt: 300).isEmpty)
        #expect(Self.words(table.timePassed(to: 400)) == [])
        #expect(Self.words(table.changed(stream, version: 4)) == ["evaluate"])
        #expect(table.answerable(stream, order: Self.order(4), nextChangeAt: nil).map(\.token) == [7])
    }

    @Test mutating func aChangeBetweenEnteringAndReadingIsSeen() {
        let stream = Self.stream(1)
        _ = enter(stream, version: 3)
        #expect(Self.words(table.changed(stream, version: 4)) == ["evaluate"])
        // The late answer of the read knows less.
        #expect(Self.words(table.headRead(stream, version: 3)) == [])
        #expect(table.answerable(stream, order: Self.order(4), nextChangeAt: nil).count == 1)
        #expect(table.count == 0)
    }

    @Test mutating func onlyThoseWhoHaveSeenLessAreAnswered() {
        let stream = Self.stream(1)
        _ = enter(stream, version: 3, token: 3)
        _ = enter(stream, version: 5, token: 5)
        #expect(table.answerable(stream, order: Self.order(4), nextChangeAt: nil).map(\.token) == [3])
        #expect(table.count == 1)
        #expect(Self.words(table.changed(Self.stream(2), version: 9)) == [])
    }

    @Test mutating func theDeadlineAnswersUnchanged() {
        _ = enter(Self.stream(1), version: 1, deadline: 500, token: 1)
        _ = enter(Self.stream(2), version: 1, deadline: 400, token: 2)
        #expect(table.nextTimer == 400)
        #expect(Self.words(table.timePassed(to: 399)) == [])
        #expect(Self.words(table.timePassed(to: 400)) == ["unchanged 2"])
        #expect(Self.words(table.timePassed(to: 10_000)) == ["unchanged 1"])
        #expect(table.nextTimer == nil)
    }

    @Test mutating func aBoundaryIsEvaluatedAndAnswered() {
        let stream = Self.stream(1)
        _ = enter(stream, version: 1, next: 300, deadline: 1000)
        _ = table.headRead(stream, version: 1)
        #expect(table.nextTimer == 300)
        #expect(Self.words(table.timePassed(to: 300)) == ["evaluate"])
        #expect(table.answerable(stream, order: Self.order(1, asOf: 300), nextChangeAt: nil).count == 1)
    }

    @Test mutating func aLaterBoundaryMovesTheTimer() {
        let stream = Self.stream(1)
        _ = enter(stream, version: 1, next: 300, deadline: 1000)
        #expect(table.answerable(stream, order: Self.order(1, asOf: 200), nextChangeAt: 700).isEmpty)
        #expect(table.timePassed(to: 300).isEmpty)
        #expect(Self.words(table.timePassed(to: 700)) == ["evaluate"])
    }

    @Test mutating func anActivationWakesTheHoldsOfItsApp() {
        _ = enter(Self.stream(1), version: 1)
        #expect(Self.words(table.activated(app: 2, activation: 9)) == [])
        #expect(Self.words(table.activated(app: 1, activation: 1)) == [])
        #expect(Self.words(table.activated(app: 1, activation: 2)) == ["evaluate"])
    }

    @Test mutating func aDeviceTakesOverItsOwnHold() {
        let stream = Self.stream(1)
        _ = enter(stream, version: 1, device: 7, token: 1)
        #expect(Self.words(enter(stream, version: 1, device: 7, token: 2)) == ["read", "unchanged 1"])
        #expect(Self.words(enter(stream, version: 1, device: 8, token: 3)) == ["read"])
        #expect(table.count == 2)
    }

    @Test mutating func anAccountHasABoundedNumberOfHolds() {
        for token in 0..<20 { _ = enter(Self.stream(1), version: 1, token: token) }
        #expect(table.count == 16)
        #expect(table.holds(of: Self.stream(1)).map(\.token).min() == 4)
    }

    @Test mutating func aDrainAnswersEverybodyAndTakesNobody() {
        for number in UInt8(1)...50 { _ = enter(Self.stream(number), version: 1, deadline: 100_000) }
        table.drain { id in Milliseconds(id) * 10 }
        #expect(!table.hasRoom)
        #expect(table.timePassed(to: 250).count == 25)
        #expect(table.timePassed(to: 500).count == 25)
        #expect(table.count == 0)
    }

    @Test mutating func aClientThatLeftIsForgotten() {
        let entered = table.enter(
            stream: Self.stream(1), app: 1, seen: Self.order(1), nextChangeAt: 5, deadline: 9, device: nil, token: 0)
        table.clientGone(entered.id)
        #expect(table.count == 0)
        #expect(table.streams.isEmpty)
        #expect(table.timePassed(to: 100).isEmpty)
        #expect(table.changed(Self.stream(1), version: 9).isEmpty)
    }

    /// Commits, tail, reads, time and clients in random order: nobody with an older view waits once all is told.
    @Test(arguments: UInt64(1)...200) func noWakeUpIsLost(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var table = HoldTable<UInt8>()
        var committed: [UInt8: Int64] = [:]
        var told: [UInt8: Int64] = [:]
        var reads: [(stream: UInt8, version: Int64)] = []
        var isWaiting: [UInt8: Int64] = [:]
        func carryOut(_ actions: [HoldTable<UInt8>.Action]) {
            for action in actions {
                switch action {
                case .readHead(let stream):
                    // The database answers with what is committed now; the answer arrives later.
                    for number in UInt8(0)..<5 where Self.stream(number) == stream {
                        reads.append((number, committed[number, default: 0]))
                    }
                case .evaluate(let stream):
                    for number in UInt8(0)..<5 where Self.stream(number) == stream {
                        let order = Self.order(committed[number, default: 0])
                        for hold in table.answerable(stream, order: order, nextChangeAt: nil) {
                            isWaiting[hold.token] = nil
                        }
                    }
                case .answerUnchanged(let hold): isWaiting[hold.token] = nil
                }
            }
        }
        for token in UInt8(0)..<120 {
            let number = UInt8.random(in: 0..<5, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: committed[number, default: 0] += 1
            case 1:
                let version = committed[number, default: 0]
                if version > told[number, default: 0] {
                    told[number] = version
                    carryOut(table.changed(Self.stream(number), version: version))
                }
            case 2:
                let seen = Int64.random(in: 0...committed[number, default: 0], using: &random)
                isWaiting[token] = seen
                carryOut(
                    table.enter(
                        stream: Self.stream(number), app: 1, seen: Self.order(seen), nextChangeAt: nil,
                        deadline: 1_000_000, device: nil, token: token
                    ).actions)
            default:
                if let read = reads.popLast() {
                    carryOut(table.headRead(Self.stream(read.stream), version: read.version))
                }
            }
        }
        // The tail and the outstanding reads catch up.
        for (number, version) in committed where version > told[number, default: 0] {
            carryOut(table.changed(Self.stream(number), version: version))
        }
        while let read = reads.popLast() { carryOut(table.headRead(Self.stream(read.stream), version: read.version)) }
        for number in UInt8(0)..<5 {
            for hold in table.holds(of: Self.stream(number)) {
                #expect(hold.seen.version == committed[number, default: 0], "seed \(seed), stream \(number)")
            }
        }
    }
}

/// A small seeded generator: the seed in a failure's message repeats it.
struct SplitMix: RandomNumberGenerator {
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
