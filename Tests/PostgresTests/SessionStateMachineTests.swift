import Testing

@testable import Postgres

/// The session's decisions, without a server.
@Suite struct SessionStateMachineTests {
    private let failure = ServerFailure(state: .uniqueViolation, isFatal: false, message: "no")
    private let fatal = ServerFailure(state: .adminShutdown, isFatal: true, message: "gone")
    private let loss = PostgresError(.connectionLost, "loss")

    private func opened(inFlight: Int = 10, waiting: Int = 10) -> SessionStateMachine {
        var machine = SessionStateMachine(maximumInFlight: inFlight, maximumWaiting: waiting)
        #expect(machine.connected() == true)
        return machine
    }

    /// A machine with sent units of the given numbers of commands.
    private func sent(_ commandCounts: Int...) -> SessionStateMachine {
        var machine = opened()
        for (unit, count) in commandCounts.enumerated() {
            #expect(machine.submit(unit: unit) == .start)
            machine.sent(unit: unit, commandCount: count)
        }
        return machine
    }

    private func isDisconnect(_ action: ResultAction) -> Bool {
        if case .disconnect(let error) = action { error.code == .connectionLost } else { false }
    }

    // MARK: Pipeline

    @Test func resultsAnswerCommandsInOrder() {
        var machine = sent(1, 2)
        #expect(machine.received(.success) == .keep(unit: 0, command: 0))
        #expect(machine.received(.endOfCommand) == .none)
        #expect(machine.received(.sync) == .complete(unit: 0))
        #expect(machine.received(.success) == .keep(unit: 1, command: 0))
        #expect(machine.received(.endOfCommand) == .none)
        #expect(machine.received(.success) == .keep(unit: 1, command: 1))
        #expect(machine.received(.endOfCommand) == .none)
        #expect(machine.received(.sync) == .complete(unit: 1))
        #expect(machine.isIdle)
    }

    @Test func aFailureSkipsTheRestOfItsUnitOnly() {
        var machine = sent(2, 1)
        #expect(machine.received(.failure(failure)) == .fail(unit: 0, command: 0, failure))
        #expect(machine.received(.endOfCommand) == .none)
        #expect(machine.received(.aborted) == .none)
        #expect(machine.received(.endOfCommand) == .none)
        #expect(machine.received(.sync) == .complete(unit: 0))
        #expect(machine.received(.success) == .keep(unit: 1, command: 0))
    }

    @Test func aCommitThatFailsFailsTheUnit() {
        var machine = sent(1)
        _ = machine.received(.success)
        _ = machine.received(.endOfCommand)
        #expect(machine.received(.failure(failure)) == .fail(unit: 0, command: 1, failure))
        #expect(machine.received(.endOfCommand) == .none)
        #expect(machine.received(.sync) == .complete(unit: 0))
    }

    @Test func anEmptyUnitIsItsSync() {
        var machine = sent(0)
        #expect(machine.received(.sync) == .complete(unit: 0))
    }

    @Test(arguments: [ServerResult.endOfCommand, .sync, .copyIn, .copyOut, .unexpected])
    func whatIsNotAResultWhenOneIsDueDisconnects(result: ServerResult) {
        var machine = sent(1)
        let action = machine.received(result)
        #expect(isDisconnect(action))
    }

    @Test(arguments: [ServerResult.success, .aborted, .sync, .copyIn, .copyOut, .unexpected])
    func whatIsNotAnEndWhenOneIsDueDisconnects(result: ServerResult) {
        var machine = sent(1)
        _ = machine.received(.success)
        let action = machine.received(result)
        #expect(isDisconnect(action))
    }

    /// A dead connection ends commands for ever.
    @Test(arguments: [ServerResult.success, .aborted, .endOfCommand, .copyIn, .copyOut, .unexpected])
    func whatIsNotASyncWhenOneIsDueDisconnects(result: ServerResult) {
        var machine = sent(1)
        _ = machine.received(.success)
        _ = machine.received(.endOfCommand)
        let action = machine.received(result)
        #expect(isDisconnect(action))
    }

    @Test(arguments: [ServerResult.success, .aborted, .endOfCommand, .sync, .copyIn, .copyOut, .unexpected])
    func aResultThatNothingAskedForDisconnects(result: ServerResult) {
        var machine = opened()
        let action = machine.received(result)
        #expect(isDisconnect(action))
    }

    @Test func aFatalFailureDisconnectsWherever() {
        var idle = opened()
        let whenIdle = idle.received(.failure(fatal))
        #expect(isDisconnect(whenIdle))
        var busy = sent(1)
        let whenBusy = busy.received(.failure(fatal))
        #expect(isDisconnect(whenBusy))
    }

    // MARK: Admission

    @Test func unitsBeyondTheLimitWaitAndThenAreRefused() {
        var machine = opened(inFlight: 1, waiting: 1)
        #expect(machine.submit(unit: 1) == .start)
        machine.sent(unit: 1, commandCount: 0)
        #expect(machine.submit(unit: 2) == .wait)
        guard case .reject(let error) = machine.submit(unit: 3) else { return #expect(Bool(false)) }
        #expect(error.code == .overloaded)
        #expect(machine.nextToStart() == nil)
        #expect(machine.received(.sync) == .complete(unit: 1))
        #expect(machine.nextToStart() == .unit(2))
        #expect(machine.nextToStart() == nil)
    }

    @Test func aTurnWaitsForThePipelineAndHoldsOthersBack() {
        var machine = sent(0)
        #expect(machine.submit(turn: 10) == .wait)
        #expect(machine.submit(unit: 1) == .wait)
        #expect(machine.nextToStart() == nil)
        _ = machine.received(.sync)
        #expect(machine.nextToStart() == .turn(10))
        #expect(machine.nextToStart() == nil)
        #expect(machine.submit(unit: 2, turn: 10) == .start)
        machine.sent(unit: 2, commandCount: 0)
        _ = machine.received(.sync)
        #expect(machine.release(turn: 10) == true)
        #expect(machine.nextToStart() == .unit(1))
    }

    @Test func aTurnThatIsNotHeldIsRefused() {
        var machine = opened()
        #expect(machine.submit(unit: 1, turn: 5) == .reject(SessionStateMachine.turnIsOver))
        #expect(machine.begin(.script, turn: 5) == .reject(SessionStateMachine.turnIsOver))
        #expect(machine.release(turn: 5) == false)
        #expect(machine.submit(turn: 5) == .start)
        #expect(machine.release(turn: 5) == true)
        #expect(machine.release(turn: 5) == false)
        #expect(machine.submit(unit: 1, turn: 5) == .reject(SessionStateMachine.turnIsOver))
    }

    // MARK: Scripts and copies

    private func begun(_ operation: PlainOperation) -> SessionStateMachine {
        var machine = opened()
        #expect(machine.submit(turn: 1) == .start)
        #expect(machine.begin(operation, turn: 1) == .start)
        return machine
    }

    @Test func aScriptHasManyResults() {
        var machine = begun(.script)
        #expect(machine.received(.success) == .keepPlain)
        #expect(machine.received(.failure(failure)) == .failPlain(failure))
        #expect(machine.received(.endOfCommand) == .completePlain)
        #expect(machine.plain == nil)
    }

    @Test(arguments: [(PlainOperation.copyIn, ServerResult.copyIn), (.copyOut, .copyOut)])
    func aCopyBeginsAndFinishes(operation: PlainOperation, beginning: ServerResult) {
        var machine = begun(operation)
        #expect(machine.copyEnded() == false)
        #expect(machine.received(beginning) == (operation == .copyIn ? .beginCopyIn : .beginCopyOut))
        #expect(!machine.isExpectingResults)
        #expect(machine.submit(unit: 1, turn: 1) == .reject(SessionStateMachine.plainIsRunning))
        #expect(machine.begin(.script, turn: 1) == .reject(SessionStateMachine.plainIsRunning))
        #expect(machine.copyEnded() == true)
        #expect(machine.copyEnded() == false)
        #expect(machine.isExpectingResults)
        #expect(machine.received(.success) == .keepPlain)
        #expect(machine.received(.endOfCommand) == .completePlain)
    }

    @Test func aCopyThatIsRefusedEnds() {
        var machine = begun(.copyIn)
        #expect(machine.received(.failure(failure)) == .failPlain(failure))
        #expect(machine.received(.endOfCommand) == .completePlain)
    }

    @Test(arguments: [
        (PlainOperation.script, ServerResult.copyIn), (.script, .copyOut), (.copyIn, .copyOut), (.copyOut, .copyIn),
        (.script, .sync), (.script, .aborted), (.script, .unexpected),
    ])
    func whatDoesNotBelongToTheOperationDisconnects(operation: PlainOperation, result: ServerResult) {
        var machine = begun(operation)
        let action = machine.received(result)
        #expect(isDisconnect(action))
    }

    @Test(arguments: [ServerResult.success, .aborted, .endOfCommand, .sync, .copyIn, .copyOut, .unexpected])
    func aResultDuringACopyDisconnects(result: ServerResult) {
        var machine = begun(.copyIn)
        _ = machine.received(.copyIn)
        let action = machine.received(result)
        #expect(isDisconnect(action))
    }

    @Test func nothingPlainBeginsWhileAQueryIsUnderWay() {
        var machine = opened()
        _ = machine.submit(turn: 1)
        _ = machine.submit(unit: 2, turn: 1)
        machine.sent(unit: 2, commandCount: 1)
        guard case .reject(let error) = machine.begin(.script, turn: 1) else { return #expect(Bool(false)) }
        #expect(error.code == .protocolViolation)
    }

    // MARK: The ends

    @Test func beforeConnectingNothingIsSent() {
        var machine = SessionStateMachine(maximumInFlight: 1, maximumWaiting: 1)
        guard case .reject(let error) = machine.submit(unit: 1) else { return #expect(Bool(false)) }
        #expect(error.code == .notSent)
        #expect(machine.received(.success) == .none)
        #expect(machine.nextToStart() == nil)
        #expect(machine.connected() == true)
        #expect(machine.connected() == false)
    }

    @Test func aLossTellsTheSentFromTheUnsent() {
        var machine = opened(inFlight: 1)
        _ = machine.submit(unit: 1)
        machine.sent(unit: 1, commandCount: 1)
        #expect(machine.submit(unit: 2) == .wait)
        #expect(machine.submit(turn: 3) == .wait)
        #expect(machine.end(loss) == .init(unknown: [1], notSent: [.unit(2), .turn(3)]))
        #expect(machine.end(loss) == nil)
        #expect(machine.received(.success) == .none)
        #expect(machine.connected() == false)
        #expect(machine.close() == nil)
        #expect(machine.nextToStart() == nil)
        #expect(machine.submit(unit: 4) == .reject(PostgresError(.notSent, "loss")))
        #expect(machine.submit(turn: 5) == .reject(PostgresError(.notSent, "loss")))
        #expect(machine.begin(.script, turn: 5) == .reject(PostgresError(.notSent, "loss")))
    }

    @Test func aLossInterruptsACopy() {
        var machine = begun(.copyOut)
        _ = machine.received(.copyOut)
        #expect(machine.end(loss)?.interruptsPlain == true)
        #expect(machine.copyEnded() == false)
    }

    @Test func closingFinishesWhatWasSentAndRefusesWhatWaits() {
        var machine = opened(inFlight: 1)
        _ = machine.submit(unit: 1)
        machine.sent(unit: 1, commandCount: 0)
        _ = machine.submit(unit: 2)
        #expect(machine.close() == [.unit(2)])
        #expect(machine.close() == nil)
        #expect(!machine.isDrained)
        #expect(machine.submit(unit: 3) == .reject(SessionStateMachine.sessionIsClosing))
        #expect(machine.received(.sync) == .complete(unit: 1))
        #expect(machine.isDrained)
    }

    @Test func closingLetsATransactionCommit() {
        var machine = opened()
        _ = machine.submit(turn: 1)
        #expect(machine.close() == [])
        #expect(!machine.isDrained)
        #expect(machine.submit(unit: 2, turn: 1) == .start)
        machine.sent(unit: 2, commandCount: 0)
        #expect(machine.received(.sync) == .complete(unit: 2))
        #expect(machine.release(turn: 1) == true)
        #expect(machine.isDrained)
    }
}
