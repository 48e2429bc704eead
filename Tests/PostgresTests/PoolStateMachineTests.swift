import Testing

@testable import Postgres

/// The pool's decisions, with numbers as sessions and time as an argument.
@Suite struct PoolStateMachineTests {
    private typealias Machine = PoolStateMachine<String>
    private let begin = ContinuousClock.now
    private let refused = PostgresError(.connectionFailed, "refused")

    private func options(minimum: Int = 1, maximum: Int = 2, waiting: Int = 2) -> PostgresPoolOptions {
        var options = PostgresPoolOptions()
        options.minimumSessions = minimum
        options.maximumSessions = maximum
        options.maximumWaiting = waiting
        return options
    }

    /// One idle session "a" in slot 1.
    private func ready(_ options: PostgresPoolOptions? = nil) -> Machine {
        var machine = Machine(options: options ?? self.options())
        #expect(text(machine.start(now: begin)) == ["connect 1", "wake 15.0"])
        #expect(text(machine.connected(slot: 1, "a", now: begin)) == [])
        return machine
    }

    private func text(_ actions: [Machine.Action]) -> [String] {
        actions.map { action in
            switch action {
            case .connect(let slot): "connect \(slot)"
            case .check(let slot, let session): "check \(slot) \(session)"
            case .close(let session): "close \(session)"
            case .grant(let waiter, let slot, let session): "grant \(waiter) \(slot) \(session)"
            case .refuse(let waiter, let error): "refuse \(waiter) \(error.code)"
            case .wake(let delay): "wake \(delay / .seconds(1))"
            case .finish: "finish"
            }
        }
    }

    @Test func lendsAndTakesBack() {
        var machine = ready()
        #expect(text(machine.lease(waiter: 7, now: begin)) == ["grant 7 1 a"])
        #expect(text(machine.release(slot: 1, isReusable: true, now: begin)) == [])
        #expect(text(machine.release(slot: 1, isReusable: true, now: begin)) == [])
        #expect(text(machine.lease(waiter: 8, now: begin)) == ["grant 8 1 a"])
    }

    @Test func growsToTheMaximumThenWaitsThenRefuses() {
        var machine = ready()
        _ = machine.lease(waiter: 1, now: begin)
        #expect(text(machine.lease(waiter: 2, now: begin)) == ["connect 2", "wake 5.0"])
        #expect(text(machine.lease(waiter: 3, now: begin)) == ["wake 5.0"])
        #expect(text(machine.lease(waiter: 4, now: begin)) == ["refuse 4 poolExhausted"])
        #expect(text(machine.connected(slot: 2, "b", now: begin)) == ["grant 2 2 b"])
        #expect(text(machine.release(slot: 1, isReusable: true, now: begin)) == ["grant 3 1 a"])
    }

    @Test func aBrokenSessionIsReplaced() {
        var machine = ready()
        _ = machine.lease(waiter: 1, now: begin)
        #expect(text(machine.release(slot: 1, isReusable: false, now: begin)) == ["close a", "connect 2"])
        #expect(text(machine.connected(slot: 2, "b", now: begin)) == [])
        #expect(text(machine.lost(slot: 2, now: begin)) == ["connect 3"])
        #expect(text(machine.lost(slot: 2, now: begin)) == [])
    }

    @Test func aWaitEndsAtItsDeadline() {
        var machine = ready(options(maximum: 1))
        _ = machine.lease(waiter: 1, now: begin)
        _ = machine.lease(waiter: 2, now: begin)
        #expect(text(machine.tick(now: begin + .milliseconds(4999))) == [])
        #expect(text(machine.tick(now: begin + .seconds(5))) == ["refuse 2 poolExhausted"])
        #expect(text(machine.release(slot: 1, isReusable: true, now: begin)) == [])
    }

    @Test func aCancelledWaiterIsForgotten() {
        var machine = ready(options(maximum: 1))
        _ = machine.lease(waiter: 1, now: begin)
        _ = machine.lease(waiter: 2, now: begin)
        #expect(text(machine.cancel(waiter: 2)) == ["refuse 2 cancelled"])
        #expect(text(machine.cancel(waiter: 2)) == [])
        #expect(text(machine.release(slot: 1, isReusable: true, now: begin)) == [])
    }

    @Test func failuresDoubleThePauseUpToItsLimit() {
        var machine = Machine(options: options())
        var now = begin
        var actions = machine.start(now: now)
        var pauses: [Duration] = []
        for slot in 1...8 {
            #expect(text(actions).first == "connect \(slot)")
            guard case .wake(let pause) = machine.connectFailed(slot: slot, refused, jitter: 1, now: now).last else {
                return
            }
            pauses.append(pause)
            #expect(text(machine.tick(now: now + pause - .milliseconds(1))) == [])
            now += pause
            actions = machine.tick(now: now)
        }
        #expect(pauses == [100, 200, 400, 800, 1600, 3200, 5000, 5000].map(Duration.milliseconds))
    }

    @Test func jitterHalvesThePauseAtMost() {
        var machine = Machine(options: options())
        _ = machine.start(now: begin)
        #expect(text(machine.connectFailed(slot: 1, refused, jitter: 0, now: begin)) == ["wake 0.05"])
    }

    @Test func afterAFailureOneTryAtATimeAndTheReasonForWhoWaits() {
        var machine = Machine(options: options(minimum: 2))
        #expect(text(machine.start(now: begin)) == ["connect 1", "connect 2", "wake 15.0"])
        _ = machine.lease(waiter: 1, now: begin)
        _ = machine.connectFailed(slot: 1, refused, jitter: 1, now: begin)
        _ = machine.connectFailed(slot: 2, refused, jitter: 1, now: begin)
        #expect(text(machine.tick(now: begin + .seconds(1))) == ["connect 3"])
        #expect(text(machine.tick(now: begin + .seconds(5))) == ["refuse 1 connectionFailed"])
        #expect(text(machine.connected(slot: 3, "c", now: begin + .seconds(6))) == ["connect 4"])
    }

    @Test func idleSessionsAreChecked() {
        var machine = ready()
        #expect(text(machine.maintain(now: begin + .seconds(14))) == [])
        #expect(text(machine.maintain(now: begin + .seconds(15))) == ["check 1 a"])
        #expect(text(machine.maintain(now: begin + .seconds(16))) == [])
        #expect(text(machine.checked(slot: 1, isAlive: true, now: begin + .seconds(16))) == [])
        #expect(text(machine.maintain(now: begin + .seconds(31))) == ["check 1 a"])
        #expect(text(machine.checked(slot: 1, isAlive: false, now: begin + .seconds(32))) == ["close a", "connect 2"])
        #expect(text(machine.checked(slot: 1, isAlive: true, now: begin + .seconds(32))) == [])
    }

    @Test func oldSessionsAreReplacedWhenIdle() {
        var machine = ready()
        #expect(text(machine.maintain(now: begin + .seconds(1800))) == ["close a", "connect 2"])
        _ = machine.connected(slot: 2, "b", now: begin + .seconds(1800))
        _ = machine.lease(waiter: 1, now: begin + .seconds(1801))
        #expect(text(machine.maintain(now: begin + .seconds(9000))) == [])
        #expect(
            text(machine.release(slot: 2, isReusable: true, now: begin + .seconds(9000))) == ["close b", "connect 3"])
    }

    @Test func closingRefusesClosesAndFinishesWhenTheLastIsBack() {
        var machine = Machine(options: options(minimum: 2))
        _ = machine.start(now: begin)
        _ = machine.connected(slot: 1, "a", now: begin)
        _ = machine.connected(slot: 2, "b", now: begin)
        _ = machine.lease(waiter: 1, now: begin)
        #expect(text(machine.close(now: begin)) == ["close b"])
        #expect(text(machine.close(now: begin)) == [])
        #expect(text(machine.lease(waiter: 2, now: begin)) == ["refuse 2 closed"])
        #expect(text(machine.maintain(now: begin + .seconds(60))) == [])
        #expect(text(machine.release(slot: 1, isReusable: true, now: begin)) == ["close a", "finish"])
    }

    @Test func aSessionThatConnectsWhileClosingIsClosed() {
        var machine = Machine(options: options())
        _ = machine.start(now: begin)
        _ = machine.lease(waiter: 1, now: begin)
        #expect(text(machine.close(now: begin)) == ["refuse 1 closed"])
        #expect(text(machine.connected(slot: 1, "a", now: begin)) == ["close a", "finish"])
        #expect(text(machine.connected(slot: 1, "x", now: begin)) == ["close x"])
        #expect(text(machine.connectFailed(slot: 1, refused, jitter: 0, now: begin)) == [])
    }
}
