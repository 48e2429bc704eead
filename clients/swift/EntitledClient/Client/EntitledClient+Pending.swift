import Entitlements
import Signatures

/// Purchases that wait for somebody's approval: kept over restarts, shown in every view, gone by themselves.
extension EntitledClient {
    /// The store answered `pending`: the purchase waits for an approval. It is shown in `AccountView.pending` until its
    /// transaction arrives, in a push or in the service's snapshot, or until `ClientLimits.pendingLimit` is over: a refusal is
    /// never told. Reported again, its time begins anew. Throws `readOnly`, `storage`, `invalidInput`.
    public func purchaseIsPending(productId: String) throws(ClientError) {
        let limits = configuration.limits
        guard (1...255).contains(productId.utf8.count) else {
            throw ClientError(.invalidInput, "a pending purchase is named by its product id, of 1 to 255 bytes")
        }
        lookAtClocks()
        var pending = context.pending.filter { $0.productId != productId }
        guard pending.count < limits.pendingCount else {
            throw ClientError(.invalidInput, "\(pending.count) purchases are pending, which is all that are kept")
        }
        let now = context.now(by: clock)
        pending.append(PendingPurchase(productId: productId, since: now, until: now + limits.pendingLimit))
        try keepPending(pending)
        scheduleChange()
    }

    /// The app knows that nobody will approve it. Throws `readOnly`, `storage`.
    public func purchaseIsNotPending(productId: String) throws(ClientError) {
        let pending = context.pending.filter { $0.productId != productId }
        if pending.count < context.pending.count { try keepPending(pending) }
    }

    private func keepPending(_ pending: [PendingPurchase]) throws(ClientError) {
        guard lock != nil else {
            throw ClientError(.readOnly, "another process keeps the pending purchases; tell that one")
        }
        try context.pendingStore.save(pending)
        context.pending = pending
        showView()
    }

    /// Forgets what the snapshot or the time has settled.
    func settlePending() {
        guard !context.pending.isEmpty else { return }
        let now = context.now(by: clock)
        let entries = context.kept?.snapshot.snapshot.entitlements ?? []
        dropPending { purchase in
            // One that lasts longer than any can was reported by a clock that was wrong.
            if now >= purchase.until || purchase.until - now > configuration.limits.pendingLimit {
                remark(.pendingGivenUp, "a pending purchase was not approved in time")
                return true
            }
            return entries.contains { purchase.isSettled(byPurchaseOf: $0.productId, at: $0.purchaseDate) }
        }
    }

    /// Forgets what these transactions are, which the service has for good: what was bought to be used up is in no
    /// entitlement. Their signatures need no look, since nothing is granted by forgetting.
    func settlePending(by delivered: [OutboxItem]) {
        guard !context.pending.isEmpty else { return }
        let purchases = delivered.compactMap { item -> (productId: String, at: Milliseconds)? in
            guard let payload = try? CompactJWS(item.signed.utf8).payload(),
                let object = (try? JSONValue(parsing: payload))?.objectValue,
                let productId = object["productId"]?.stringValue, let at = object["purchaseDate"]?.integerValue
            else { return nil }
            return (productId, at)
        }
        dropPending { purchase in purchases.contains { purchase.isSettled(byPurchaseOf: $0.productId, at: $0.at) } }
        showView()
    }

    private func dropPending(_ isSettled: (PendingPurchase) -> Bool) {
        let left = context.pending.filter { !isSettled($0) }
        guard left.count < context.pending.count else { return }
        context.pending = left
        guard lock != nil else { return }
        do {
            try context.pendingStore.save(left)
        } catch {
            remark(.storageFailed, error.message)
        }
    }
}
