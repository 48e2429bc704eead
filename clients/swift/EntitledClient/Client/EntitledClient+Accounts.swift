public import Entitlements

/// What came of asking the app for a token.
enum TokenOutcome: Sendable {
    case token(String)
    /// Nobody is signed in.
    case refused
    /// The app cannot say now.
    case unavailable
}

extension EntitledClient {
    /// The account whose answers these are.
    public var account: AccountID { context.id }

    /// Another person signs in: in one step the client answers for that account, from what is kept of it on the disk or
    /// `unknown`, and nothing of the one before is asked, sent or shown any more. What waits in the former account's outbox
    /// stays there until it signs in again. Throws `storage`: then nothing has changed.
    public func switchAccount(to account: AccountID, token: @escaping TokenProvider) throws(ClientError) {
        let files = try Self.open(
            account, provider: token, installation: installation, layout: layout, configuration: configuration,
            lock: lock)
        endWork()
        context = files.context
        lock = files.lock
        poll = PollMachine(holdSeconds: configuration.limits.holdSeconds)
        for remark in files.remarks { remarks.send(remark) }
        showView()
        guard isStarted else { return }
        scheduleChange()
        if lock == nil { startReading() } else { startTalking() }
    }

    /// The token in use, or one that the app is asked for; asked once however many wait for it.
    func token() async -> TokenOutcome {
        if let token = context.token { return .token(token) }
        let generation = generation
        if let tokenTask {
            let outcome = await tokenTask.value
            // A token of the account before is none of this one's.
            return generation == self.generation ? outcome : .unavailable
        }
        let provider = context.provider
        let task = Task { () -> TokenOutcome in
            do {
                guard let token = try await provider(), !token.isEmpty else { return .refused }
                return .token(token)
            } catch {
                return .unavailable
            }
        }
        tokenTask = task
        let outcome = await task.value
        guard generation == self.generation else { return .unavailable }
        tokenTask = nil
        if case .token(let token) = outcome { context.token = token }
        return outcome
    }

    /// The service refused this token: the next request asks for another.
    func forgetToken(_ token: String) {
        if context.token == token { context.token = nil }
    }
}
