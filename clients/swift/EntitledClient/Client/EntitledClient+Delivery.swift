import Entitlements

/// Empties the outbox: one request at a time, oldest first, each answer kept before anybody is told.
extension EntitledClient {
    /// Begins to deliver, or ends a pause that only the client wanted.
    func startDelivery() {
        guard isStarted, let outbox = context.outbox, !outbox.items.isEmpty else { return }
        guard deliveryTask == nil else {
            if !deliveryPauseIsBinding { deliveryPause?.cancel() }
            return
        }
        let generation = generation
        deliveryTask = Task { await deliver(generation) }
    }

    private func deliver(_ generation: Int) async {
        var backoff = Backoff()
        while generation == self.generation, let outbox = context.outbox {
            let batch = outbox.nextBatch(count: deliveryBatch, bytes: configuration.limits.batchBytes)
            guard !batch.isEmpty else { break }
            let (answer, pace) = await call { $0.push(batch, to: "transactions", token: $1) }
            guard generation == self.generation else { return }
            switch judge(answer, for: batch) {
            case .goOn: backoff.reset()
            case .pause:
                await pauseDelivery(
                    for: backoff.next(jitter: Double.random(in: 0..<1), atLeast: pace.pause), binding: pace.pause > 0)
            case .stop:
                deliveryTask = nil
                return
            }
        }
        if generation == self.generation { deliveryTask = nil }
    }

    private enum NextStep {
        case goOn, pause, stop
    }

    private func judge(_ answer: ServiceAnswer, for batch: [OutboxItem]) -> NextStep {
        switch answer {
        case .object(let object):
            guard let results = Self.results(in: object, for: batch) else { return .pause }
            deliveryBatch = min(deliveryBatch * 2, configuration.limits.batchCount)
            return settle(results, of: batch)
        case .unauthorized: return .stop
        case .problem(let status, let code, _) where [400, 413, 415, 422].contains(status):
            // One object may spoil the whole request: it is found by sending fewer.
            guard batch.count == 1 else {
                deliveryBatch = status == 413 ? max(1, batch.count / 2) : 1
                return .goOn
            }
            giveUp(batch[0], code: code)
            return .goOn
        case .problem, .signed, .unchanged, .unreachable: return .pause
        }
    }

    private func settle(_ results: [PushResult], of batch: [OutboxItem]) -> NextStep {
        let again = Set(results.filter { $0.outcome == .retry }.map(\.id))
        complete(Set(batch.map(\.id)).subtracting(again))
        let finished = Set(results.filter(\.finish).map(\.id))
        settlePending(by: batch.filter { $0.kind == .transaction && finished.contains($0.id) })
        announce(results.filter { !again.contains($0.id) })
        guard !again.isEmpty else { return .goOn }
        context.outbox?.postpone(again)
        return .pause
    }

    private func giveUp(_ item: OutboxItem, code: String) {
        complete([item.id])
        remark(.pushGivenUp, "the service will never take a pushed object: \(code)")
        guard item.kind == .transaction else { return }
        announce([PushResult(id: item.id, transactionId: nil, outcome: .rejected, reason: code, finish: false)])
    }

    private func complete(_ ids: Set<String>) {
        do {
            try context.outbox?.complete(ids)
        } catch {
            remark(.storageFailed, error.message)
        }
    }

    private func pauseDelivery(for duration: Milliseconds, binding: Bool) async {
        let pause = Task { try await clock.sleep(for: duration) }
        deliveryPause = pause
        deliveryPauseIsBinding = binding
        _ = await pause.result
        deliveryPauseIsBinding = false
    }
}
