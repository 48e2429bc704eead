public import Entitlements

extension EntitledClient {
    /// Whether the account may use an entitlement now: active, inactive or unknown, by the trusted time. Never waits for the
    /// network.
    public func isEntitled(to entitlement: String) -> EntitlementAnswer {
        view.answer(for: entitlement)
    }

    /// All that can be said now. Never waits for the network.
    public var view: AccountView {
        if lock == nil { readAgain() }
        lookAtClocks()
        return context.view
    }

    /// A balance of a virtual currency, as the service said it last.
    public func balance(of currency: String) -> Balance {
        let view = view
        return Balance(amount: view.snapshot.map { $0.balances[currency] ?? 0 }, flags: view.otherwise.flags)
    }

    /// What gives access now, one after the other, as StoreKit's `Transaction.currentEntitlements`. Empty both when there is
    /// nothing and when nothing is known: `isEntitled(to:)` tells these apart.
    public nonisolated var currentEntitlements: AsyncStream<Verdict<CurrentEntitlement>> {
        Self.stream { for entitlement in await self.view.currentEntitlements { $0.yield(.verified(entitlement)) } }
    }

    /// The views as they change, for as long as it is read. The first one comes at once: what is known from the disk. A
    /// reader that is slow gets the newest. An answer that was not believed comes as `unverified` and changes nothing.
    public nonisolated var updates: AsyncStream<Verdict<AccountView>> { views.listen() }

    /// What the service has not answered for good yet, oldest first; it is delivered by itself.
    public nonisolated var unfinished: AsyncStream<UnfinishedPush> {
        Self.stream { for push in await self.pending { $0.yield(push) } }
    }

    /// Results of pushes as they come in, also of those whose caller no longer waits.
    public nonisolated var deliveries: AsyncStream<PushResult> { delivered.listen() }

    /// How the client stands to the service, from now on.
    public nonisolated var connectionStatus: AsyncStream<ConnectionStatus> { statuses.listen() }

    /// What went wrong and was dealt with; begins with the last few.
    public nonisolated var diagnostics: AsyncStream<ClientDiagnostic> { remarks.listen() }

    private var pending: [UnfinishedPush] {
        (context.outbox?.items ?? []).map {
            UnfinishedPush(id: $0.id, signed: $0.signed, isRenewalInfo: $0.kind == .renewalInfo)
        }
    }

    private static func stream<Element: Sendable>(
        _ body: @escaping @Sendable (AsyncStream<Element>.Continuation) async -> Void
    ) -> AsyncStream<Element> {
        AsyncStream { continuation in
            let task = Task {
                await body(continuation)
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
