import Entitlements

/// Does what the poll machine says, and tells it what came of it.
extension EntitledClient {
    func tell(_ event: PollMachine.Event) {
        let actions = poll.handle(event, at: clock.monotonic, jitter: Double.random(in: 0..<1))
        for action in actions { perform(action) }
        showStatus()
    }

    private func perform(_ action: PollMachine.Action) {
        switch action {
        case .fetch: run { await self.exchange { $0.fetch(token: $1) } }
        case .hold(let cursor, let seconds):
            run { await self.exchange { $0.hold(cursor: cursor, seconds: seconds, token: $1) } }
        case .startTimer(let duration):
            run {
                do { try await self.clock.sleep(for: duration) } catch { return nil }
                return { _ in .timer }
            }
        case .refreshToken:
            run {
                let outcome = await self.token()
                return { _ in
                    switch outcome {
                    case .token: .tokenRefreshed
                    case .refused: .tokenRefused
                    case .unavailable: .tokenUnavailable
                    }
                }
            }
        case .cancelRequest, .cancelTimer:
            pollTask?.cancel()
            pollTurn += 1
        case .reportFastLoop:
            remark(.fastLoop, "the service answers without holding; the client slowed down")
        }
    }

    /// Turns what came back into an event. It runs only if that is still wanted: what a request brings after it was given up
    /// must not touch the account that is signed in by then.
    private typealias Ending = @Sendable (isolated EntitledClient) -> PollMachine.Event

    private func run(_ work: @escaping @Sendable () async -> Ending?) {
        pollTurn += 1
        let turn = pollTurn
        pollTask = Task {
            guard let ending = await work(), turn == self.pollTurn else { return }
            self.tell(ending(self))
        }
    }

    private func exchange(
        _ make: @escaping @Sendable (ServiceRequests, String) -> TransportRequest
    ) async -> Ending {
        let token: String
        switch await self.token() {
        case .token(let current): token = current
        case .refused: return { _ in .unauthorized }
        case .unavailable: return { _ in .unreachable }
        }
        guard let response = try? await transport.send(make(context.requests, token)) else {
            return { _ in .unreachable }
        }
        return { $0.pollEvent(for: response, token: token) }
    }

    private func pollEvent(for response: TransportResponse, token: String) -> PollMachine.Event {
        let pace = AnswerPace(response.headers)
        var answer = PollMachine.Answer(cursor: poll.cursor ?? "", pause: pace.pause, closes: pace.closes)
        switch ServiceAnswer(response) {
        case .signed(let text):
            switch accept(text) {
            case .accepted(let snapshot):
                answer.cursor = snapshot.cursor
                answer.refreshAfter = snapshot.refreshAfter
            case .notNewer: break
            case .refused: return .unverified
            }
        case .unchanged(let cursor): answer.cursor = cursor
        case .unauthorized:
            forgetToken(token)
            return .unauthorized
        case .problem: return .failed(retryAfter: pace.pause)
        case .object:
            remark(.answerRefused, "the service answered a question for a signed snapshot with something else")
            return .unverified
        case .unreachable: return .unreachable
        }
        timePassed()
        // The way to the service is open: what waits in the outbox need not wait longer.
        startDelivery()
        return .answered(answer)
    }
}
