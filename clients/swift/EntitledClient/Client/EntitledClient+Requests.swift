import Entitlements

extension EntitledClient {
    /// The person's explicit wish to have here what was bought with the store account of this device: the only call that
    /// may move purchases from another account, by the app's policy. Goes to the service at once and is not kept for later.
    /// Throws `network`, `authentication`, `service`, `invalidInput`.
    public func restore(
        signedTransactions: [String], signedRenewalInfos: [String] = [],
        progress: @Sendable (RestoreProgress) -> Void = { _ in }
    ) async throws(ClientError) -> [PushResult] {
        let items = try checked(signedTransactions, signedRenewalInfos)
        var results: [PushResult] = []
        var left = items[...]
        while !left.isEmpty {
            let batch = left.batch(count: configuration.limits.batchCount, bytes: configuration.limits.batchBytes)
            left = left.dropFirst(batch.count)
            let object = try await demand { $0.push(batch, to: "restore", token: $1) }
            guard let answered = Self.results(in: object, for: batch) else {
                throw ClientError(.network, "the answer to the restore does not fit the question; restore again")
            }
            results += answered
            progress(RestoreProgress(done: results.count, total: signedTransactions.count))
        }
        return results
    }

    /// Spends from a balance. The same idempotency key may be sent again after `network`: it is spent once. Throws
    /// `service` with the `problemCode` `insufficientBalance` or `idempotencyConflict`, `network`, `authentication`.
    public func spend(amount: Int64, currency: String, idempotencyKey: String) async throws(ClientError) -> SpendResult
    {
        guard amount > 0, !currency.isEmpty, !idempotencyKey.isEmpty else {
            throw ClientError(.invalidInput, "a spend has an amount above 0, a currency and an idempotency key")
        }
        let object = try await demand {
            $0.spend(amount: amount, currency: currency, idempotencyKey: idempotencyKey, token: $1)
        }
        let balances = object["balances"]?.objectValue ?? object["snapshot"]?.objectValue?["balances"]?.objectValue
        return SpendResult(balance: object["balance"]?.integerValue ?? balances?[currency]?.integerValue)
    }

    /// Sends one request and takes over the snapshot in its answer; anything but JSON is thrown.
    private func demand(
        _ make: @Sendable (ServiceRequests, String) -> TransportRequest
    ) async throws(ClientError) -> JSONObject {
        guard lock != nil else {
            throw ClientError(.readOnly, "another process talks to the service for this directory; ask there")
        }
        switch await call(make).answer {
        case .object(let object): return object
        case .unauthorized:
            throw ClientError(.authentication, "the service takes no token of this account; sign in again")
        case .problem(_, let code, let detail): throw ClientError(.service, detail, problemCode: code)
        case .signed, .unchanged, .unreachable:
            throw ClientError(.network, "the service was not reached; try again when it is")
        }
    }

    /// Sends one request with the account's token, with a new one if the first is refused, and takes over the snapshot in the
    /// answer if the account is still the same.
    func call(
        _ make: @Sendable (ServiceRequests, String) -> TransportRequest
    ) async -> (answer: ServiceAnswer, pace: AnswerPace) {
        let generation = generation
        let requests = context.requests
        var last = (answer: ServiceAnswer.unauthorized, pace: AnswerPace([:]))
        for _ in 0..<2 {
            let token: String
            switch await self.token() {
            case .token(let current): token = current
            case .refused: return (.unauthorized, AnswerPace([:]))
            case .unavailable: return (.unreachable, AnswerPace([:]))
            }
            guard generation == self.generation, let response = try? await transport.send(make(requests, token)) else {
                return (.unreachable, AnswerPace([:]))
            }
            last = (ServiceAnswer(response), AnswerPace(response.headers))
            guard generation == self.generation else { return last }
            guard last.answer == .unauthorized else {
                if case .object(let object) = last.answer { takeOverSnapshot(in: object) }
                return last
            }
            forgetToken(token)
        }
        return last
    }

    private func takeOverSnapshot(in object: JSONObject) {
        guard let text = object["signedSnapshot"]?.stringValue, case .accepted(let snapshot) = accept(text) else {
            return
        }
        // The poll that is out has the older cursor and is answered with the same view, which is then no news.
        poll.moveCursor(snapshot.cursor, refreshAt: clock.monotonic + snapshot.refreshAfter)
    }
}
