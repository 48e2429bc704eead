import Entitlements

/// A caller of `push` that waits for results.
struct PushWaiter {
    /// In the order pushed.
    let ids: [String]
    var results: [String: PushResult] = [:]
    let continuation: CheckedContinuation<[PushResult], Never>
}

extension EntitledClient {
    /// Hands purchases over. They are on the disk before anything is sent, and stay there until the service has them for
    /// good, over crashes and restarts. Waits a while (`ClientLimits.pushWait`) for the service; what it has not answered by
    /// then comes back as `queued` and is delivered later, see `deliveries`. Finish with the store only what says `finish`.
    /// Throws `outboxFull`, `storage`, `readOnly`, `invalidInput`: then nothing of it was taken.
    ///
    /// - Returns: One result for each signed transaction, in order.
    public func push(
        signedTransactions: [String], signedRenewalInfos: [String] = []
    ) async throws(ClientError) -> [PushResult] {
        let items = try checked(signedTransactions, signedRenewalInfos)
        guard let outbox = context.outbox else {
            throw ClientError(.readOnly, "another process talks to the service for this directory; push there")
        }
        try outbox.add(items)
        let ids = items.filter { $0.kind == .transaction }.map(\.id)
        startDelivery()
        guard isStarted, !ids.isEmpty else { return ids.map(PushResult.queued) }
        return await results(for: ids)
    }

    private func results(for ids: [String]) async -> [PushResult] {
        nextWaiter += 1
        let waiter = nextWaiter
        let timeout = Task {
            do { try await clock.sleep(for: configuration.limits.pushWait) } catch { return }
            answerWaiter(waiter)
        }
        defer { timeout.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { pushWaiters[waiter] = PushWaiter(ids: ids, continuation: $0) }
        } onCancel: {
            Task { await self.answerWaiter(waiter) }
        }
    }

    /// Gives a waiting caller what there is.
    func answerWaiter(_ waiter: Int) {
        guard let waiting = pushWaiters.removeValue(forKey: waiter) else { return }
        waiting.continuation.resume(returning: waiting.ids.map { waiting.results[$0] ?? .queued($0) })
    }

    /// Tells everybody who waits what became of these, and all observers.
    func announce(_ results: [PushResult]) {
        for result in results {
            delivered.send(result)
            for (id, waiter) in pushWaiters where waiter.ids.contains(result.id) {
                pushWaiters[id]?.results[result.id] = result
                if pushWaiters[id]?.results.count == Set(waiter.ids).count { answerWaiter(id) }
            }
        }
    }

    /// Looks at what the app hands over. Whether Apple signed it is for the service to say.
    func checked(_ transactions: [String], _ renewalInfos: [String]) throws(ClientError) -> [OutboxItem] {
        guard !transactions.isEmpty || !renewalInfos.isEmpty else {
            throw ClientError(.invalidInput, "there is nothing to hand over")
        }
        for signed in transactions + renewalInfos {
            guard signed.utf8.count <= configuration.limits.signedObjectBytes,
                signed.utf8.count(where: { $0 == UInt8(ascii: ".") }) == 2,
                signed.utf8.allSatisfy({ $0 > 32 && $0 < 127 })
            else {
                throw ClientError(
                    .invalidInput,
                    "a signed object is the JWS as the store gives it (jwsRepresentation), at most "
                        + "\(configuration.limits.signedObjectBytes) bytes")
            }
        }
        return transactions.map { OutboxItem(.transaction, $0) } + renewalInfos.map { OutboxItem(.renewalInfo, $0) }
    }

    /// The results in an answer, in the order of the transactions of the request; nil when they do not fit it.
    static func results(in object: JSONObject, for batch: [OutboxItem]) -> [PushResult]? {
        let sent = batch.filter { $0.kind == .transaction }
        let answered = object["results"]?.arrayValue ?? []
        guard answered.count == sent.count else { return nil }
        var results: [PushResult] = []
        for (item, answer) in zip(sent, answered) {
            guard let answer = answer.objectValue, let outcome = answer["outcome"]?.stringValue else { return nil }
            results.append(
                PushResult(
                    id: item.id, transactionId: answer["transactionId"]?.stringValue,
                    outcome: PushResult.Outcome(rawValue: outcome), reason: answer["reason"]?.stringValue,
                    finish: answer["finish"]?.boolValue ?? false))
        }
        return results
    }
}
