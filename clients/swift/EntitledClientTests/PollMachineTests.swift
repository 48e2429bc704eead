import Testing

@testable import EntitledClient

/// Every state by every event, as the table of `PollMachine` has it.
@Suite struct PollMachineTests {
    enum Place: String, CaseIterable {
        case idle, fetching, holding, pacing, backingOff, offline, draining, refreshing, authFailed
    }

    enum Cell: Equatable {
        case nothing
        case to(Place, [PollMachine.Action])
    }

    static let events: [PollMachine.Event] = [
        .start(cursor: "s", refreshAfter: 100_000), .stop,
        .answered(.init(cursor: "c2", refreshAfter: nil)), .unverified, .failed(retryAfter: 7_000), .unreachable,
        .unauthorized, .tokenRefreshed, .tokenRefused, .tokenUnavailable, .timer, .wake,
    ]

    static func machine(in place: Place) -> PollMachine {
        var machine = PollMachine(holdSeconds: 50)
        func tell(_ events: PollMachine.Event...) {
            for event in events { _ = machine.handle(event, at: 0, jitter: 0.5) }
        }
        // A service that has answered once.
        let start = PollMachine.Event.start(cursor: "c0", refreshAfter: 3_600_000)
        let answer = PollMachine.Event.answered(.init(cursor: "c1"))
        switch place {
        case .idle: break
        case .fetching: tell(.start(cursor: nil, refreshAfter: 3_600_000))
        case .holding: tell(start, answer)
        case .pacing: tell(start, .answered(.init(cursor: "c1", pause: 250)))
        case .backingOff: tell(start, answer, .unverified)
        case .offline: tell(start, answer, .unreachable)
        case .draining: tell(start, .answered(.init(cursor: "c1", closes: true)))
        case .refreshing: tell(start, answer, .unauthorized)
        case .authFailed: tell(start, answer, .unauthorized, .tokenRefused)
        }
        return machine
    }

    static func place(of state: PollMachine.State) -> Place {
        switch state {
        case .idle: .idle
        case .fetching: .fetching
        case .holding: .holding
        case .pacing: .pacing
        case .backingOff: .backingOff
        case .offline: .offline
        case .draining: .draining
        case .refreshing: .refreshing
        case .authFailed: .authFailed
        }
    }

    static let hold = PollMachine.Action.hold(cursor: "c1", seconds: 50)
    /// The first hold after the service was not reached.
    static let probe = PollMachine.Action.hold(cursor: "c1", seconds: 1)
    static let next = PollMachine.Action.hold(cursor: "c2", seconds: 50)
    static let firstHold = PollMachine.Action.hold(cursor: "c2", seconds: 1)

    /// The expected cells in the order of `events`; the hold is one second old and the jitter one half.
    static let table: [Place: [Cell]] = [
        .idle: [.to(.holding, [.hold(cursor: "s", seconds: 1)])] + Array(repeating: .nothing, count: 11),
        .fetching: [
            .nothing, .to(.idle, [.cancelRequest]), .to(.holding, [firstHold]),
            .to(.backingOff, [.startTimer(after: 250)]), .to(.backingOff, [.startTimer(after: 7_250)]),
            .to(.offline, [.startTimer(after: 250)]), .to(.refreshing, [.refreshToken]),
            .nothing, .nothing, .nothing, .nothing, .nothing,
        ],
        .holding: [
            .nothing, .to(.idle, [.cancelRequest]), .to(.holding, [next]),
            .to(.backingOff, [.startTimer(after: 250)]), .to(.backingOff, [.startTimer(after: 7_250)]),
            .to(.offline, [.startTimer(after: 2_500)]), .to(.refreshing, [.refreshToken]),
            .nothing, .nothing, .nothing, .nothing, .nothing,
        ],
        .pacing: waiting(wake: .nothing),
        .backingOff: waiting(wake: .nothing),
        .offline: waiting(timer: probe, wake: .to(.holding, [.cancelTimer, probe])),
        .draining: waiting(wake: .nothing),
        .refreshing: [
            .nothing, .to(.idle, [.cancelRequest]), .nothing, .nothing, .nothing, .nothing, .nothing,
            .to(.holding, [hold]), .to(.authFailed, []), .to(.offline, [.startTimer(after: 250)]), .nothing, .nothing,
        ],
        .authFailed: [.nothing, .to(.idle, [])] + Array(repeating: .nothing, count: 9) + [
            .to(.refreshing, [.refreshToken])
        ],
    ]

    static func waiting(timer: PollMachine.Action = hold, wake: Cell) -> [Cell] {
        [.nothing, .to(.idle, [.cancelTimer])] + Array(repeating: .nothing, count: 8) + [.to(.holding, [timer]), wake]
    }

    @Test(arguments: Place.allCases) func everyCell(of place: Place) throws {
        let row = try #require(Self.table[place])
        #expect(row.count == Self.events.count)
        for (event, cell) in zip(Self.events, row) {
            var machine = Self.machine(in: place)
            #expect(Self.place(of: machine.state) == place)
            let before = machine
            let actions = machine.handle(event, at: 1_000, jitter: 0.5)
            switch cell {
            case .nothing:
                #expect(actions.isEmpty, "\(place) \(event)")
                #expect(machine.state == before.state, "\(place) \(event)")
            case .to(let expected, let expectedActions):
                #expect(Self.place(of: machine.state) == expected, "\(place) \(event)")
                #expect(actions == expectedActions, "\(place) \(event)")
            }
        }
    }

    @Test func anAnswerMayAskForAPause() {
        var machine = Self.machine(in: .holding)
        #expect(
            machine.handle(.answered(.init(cursor: "c2", pause: 250)), at: 20_000, jitter: 0.9) == [
                .startTimer(after: 250)
            ])
        #expect(Self.place(of: machine.state) == .pacing)
        #expect(machine.handle(.timer, at: 20_250, jitter: 0) == [Self.next])
    }

    @Test func aDrainingServerIsLeftWithinFiveSecondsSpread() {
        var machine = Self.machine(in: .holding)
        #expect(
            machine.handle(.answered(.init(cursor: "c2", closes: true)), at: 20_000, jitter: 0.9)
                == [.startTimer(after: 4_500)])
    }

    @Test func aSecondRefusalOfATokenIsFinal() {
        var machine = Self.machine(in: .refreshing)
        _ = machine.handle(.tokenRefreshed, at: 0, jitter: 0)
        #expect(machine.handle(.unauthorized, at: 100, jitter: 0) == [])
        #expect(machine.state == .authFailed)
    }

    @Test func anAnswerMakesATokenWorthAnotherTry() {
        var machine = Self.machine(in: .refreshing)
        _ = machine.handle(.tokenRefreshed, at: 0, jitter: 0)
        _ = machine.handle(.answered(.init(cursor: "c1")), at: 50_000, jitter: 0)
        #expect(machine.handle(.unauthorized, at: 60_000, jitter: 0) == [.refreshToken])
    }

    @Test func backoffDoublesAndOnlyASteadyHoldResetsIt() {
        var machine = Self.machine(in: .fetching)
        var waits: [PollMachine.Action] = []
        for _ in 0..<9 {
            waits += machine.handle(.unreachable, at: 0, jitter: 0.5)
            _ = machine.handle(.timer, at: 0, jitter: 0)
        }
        #expect(waits == [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000].map { .startTimer(after: $0) })
        _ = machine.handle(.answered(.init(cursor: "c1", refreshAfter: 3_600_000)), at: 0, jitter: 0)
        // A hold that dies young does not count as a recovery.
        #expect(machine.handle(.unreachable, at: 9_999, jitter: 0.5) == [.startTimer(after: 30_000)])
        _ = machine.handle(.timer, at: 10_000, jitter: 0)
        #expect(machine.handle(.unreachable, at: 20_000, jitter: 0.5) == [.startTimer(after: 2_500)])
    }

    @Test func aProxyThatCutsHoldsIsAskedForLess() {
        var machine = Self.machine(in: .holding)
        _ = machine.handle(.unreachable, at: 30_000, jitter: 0)
        #expect(machine.handle(.timer, at: 30_000, jitter: 0) == [Self.probe])
        let answer = PollMachine.Event.answered(.init(cursor: "c1"))
        #expect(machine.handle(answer, at: 31_000, jitter: 0) == [.hold(cursor: "c1", seconds: 24)])
    }

    /// Below ten seconds nothing is learned; at ten exactly, holds of eight are asked for, and one of those resets the doubling.
    @Test func holdsThatAreCutAtTenSecondsAreLearnedToo() {
        var machine = Self.machine(in: .holding)
        #expect(machine.handle(.unreachable, at: 10_000, jitter: 0.5) == [.startTimer(after: 2_500)])
        _ = machine.handle(.timer, at: 12_500, jitter: 0)
        let answer = PollMachine.Event.answered(.init(cursor: "c1"))
        #expect(machine.handle(answer, at: 13_500, jitter: 0) == [.hold(cursor: "c1", seconds: 8)])
        #expect(machine.handle(answer, at: 13_500 + 6_400, jitter: 0) == [.hold(cursor: "c1", seconds: 8)])
        // The doubling is reset, so this is a first loss.
        #expect(machine.handle(.unreachable, at: 20_000, jitter: 0.5) == [.startTimer(after: 2_500)])
        // What was learned is forgotten with the next start.
        _ = machine.handle(.stop, at: 20_000, jitter: 0)
        _ = machine.handle(.start(cursor: "c1", refreshAfter: 3_600_000), at: 20_000, jitter: 0)
        #expect(machine.handle(answer, at: 21_000, jitter: 0) == [Self.hold])
    }

    /// Only a path that carried a hold is asked for long ones: the answer to a fetch proves nothing about holds.
    @Test func theFirstHoldIsShortAfterAFetchToo() {
        var machine = Self.machine(in: .fetching)
        let fetched = PollMachine.Event.answered(.init(cursor: "c1", refreshAfter: 3_600_000))
        #expect(machine.handle(fetched, at: 0, jitter: 0) == [Self.probe])
        #expect(machine.isReached)
        #expect(machine.handle(.answered(.init(cursor: "c1")), at: 1_000, jitter: 0) == [Self.hold])
    }

    @Test func fiveFetchesInARowAreALoopWhateverTheyBring() {
        var machine = Self.machine(in: .fetching)
        var last: [PollMachine.Action] = []
        for turn in 0..<5 {
            last = machine.handle(
                .answered(.init(cursor: "c\(turn)", refreshAfter: 0)), at: Int64(turn) * 100, jitter: 0)
        }
        #expect(last == [.reportFastLoop, .startTimer(after: 500)])
    }

    @Test func aSteadyHoldForgetsLoops() {
        var machine = Self.machine(in: .holding)
        func loop(at now: Int64) {
            for answer in 0..<5 {
                _ = machine.handle(.answered(.init(cursor: "c1")), at: now + Int64(answer) * 100, jitter: 0)
            }
            _ = machine.handle(.timer, at: now + 1_000, jitter: 0)
        }
        loop(at: 0)
        _ = machine.handle(.answered(.init(cursor: "c1")), at: 11_000, jitter: 0)
        loop(at: 11_000)
        #expect(machine.cursor == "c1", "the first loop since it was steady drops nothing")
        loop(at: 13_000)
        #expect(machine.cursor == nil)
    }

    @Test func aPauseIsKeptInALoop() {
        var machine = Self.machine(in: .holding)
        var last: [PollMachine.Action] = []
        for turn in 0..<5 {
            last = machine.handle(.answered(.init(cursor: "c1", pause: 9_000)), at: Int64(turn), jitter: 0)
            if turn < 4 { _ = machine.handle(.timer, at: Int64(turn), jitter: 0) }
        }
        #expect(last == [.reportFastLoop, .startTimer(after: 9_000)])
    }

    @Test func anOldHoldIsAskedAnewOnWake() {
        var machine = Self.machine(in: .holding)
        #expect(machine.handle(.wake, at: 10_000, jitter: 0) == [.cancelRequest, Self.hold])
    }

    @Test func aSnapshotIsSignedAnewBeforeItsLimit() {
        var machine = PollMachine(holdSeconds: 50)
        _ = machine.handle(.start(cursor: "c1", refreshAfter: 31_000), at: 0, jitter: 0)
        let answer = PollMachine.Event.answered(.init(cursor: "c1"))
        #expect(machine.handle(answer, at: 1_000, jitter: 0) == [.hold(cursor: "c1", seconds: 30)])
        #expect(machine.handle(answer, at: 31_000, jitter: 0) == [.fetch])
    }

    @Test func fiveAnswersAtOneCursorAreALoopAndTheSecondLoopDropsTheCursor() {
        var machine = Self.machine(in: .holding)
        func loop(at now: Int64) -> [PollMachine.Action] {
            var last: [PollMachine.Action] = []
            for answer in 0..<5 {
                last = machine.handle(.answered(.init(cursor: "c1")), at: now + Int64(answer) * 100, jitter: 0)
            }
            return last
        }
        #expect(loop(at: 1_000) == [.reportFastLoop, .startTimer(after: 500)])
        #expect(machine.handle(.timer, at: 2_000, jitter: 0) == [Self.hold])
        #expect(loop(at: 2_000) == [.reportFastLoop, .startTimer(after: 500)])
        #expect(machine.handle(.timer, at: 3_000, jitter: 0) == [.fetch])
        _ = machine.handle(.answered(.init(cursor: "c1")), at: 2_000, jitter: 0)
        // The third time the cursor is kept: it was not the reason.
        #expect(loop(at: 4_000).first == .reportFastLoop)
        #expect(machine.handle(.timer, at: 9_000, jitter: 0) == [Self.hold])
    }

    @Test func changesThatFollowEachOtherFastAreNoLoop() {
        var machine = Self.machine(in: .holding)
        for turn in 0..<50 {
            let actions = machine.handle(.answered(.init(cursor: "v\(turn)")), at: Int64(turn), jitter: 0)
            #expect(actions == [.hold(cursor: "v\(turn)", seconds: 50)])
        }
    }

    /// The model in small of a week: whatever happens, never more than one request or timer is out.
    @Test func oneThingIsOutAtAnyTime() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix(state: seed)
        var machine = PollMachine(holdSeconds: 50)
        var requests = 0
        var timers = 0
        var now: Int64 = 0
        for _ in 0..<100_000 {
            now += Int64.random(in: 0...60_000, using: &random)
            let event = Self.events[Int.random(in: 0..<Self.events.count, using: &random)]
            switch event {
            case .timer where timers == 1: timers = 0
            case .timer: continue
            case .answered, .unverified, .failed, .unreachable, .unauthorized:
                guard requests == 1, Self.place(of: machine.state) != .refreshing else { continue }
                requests = 0
            case .tokenRefreshed, .tokenRefused, .tokenUnavailable:
                guard Self.place(of: machine.state) == .refreshing else { continue }
                requests = 0
            case .start, .stop, .wake: break
            }
            for action in machine.handle(event, at: now, jitter: Double.random(in: 0..<1, using: &random)) {
                switch action {
                case .fetch, .hold, .refreshToken: requests += 1
                case .cancelRequest: requests -= 1
                case .startTimer: timers += 1
                case .cancelTimer: timers -= 1
                case .reportFastLoop: break
                }
            }
            guard requests + timers <= 1, requests >= 0, timers >= 0 else {
                Issue.record("seed \(seed): \(requests) requests and \(timers) timers are out")
                return
            }
        }
    }
}

/// A small generator with a seed, so that a failure can be run again.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
