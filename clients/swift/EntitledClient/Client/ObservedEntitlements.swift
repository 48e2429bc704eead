public import Entitlements

#if canImport(Observation)
    public import Observation

    /// What the client says, for a user interface that observes: `await observed.follow(client)` in a task of the view.
    @MainActor @Observable
    public final class ObservedEntitlements {
        /// The newest view; nil until the first one comes, which is at once.
        public private(set) var view: AccountView?
        /// How the client stands to the service.
        public private(set) var status = ConnectionStatus.stopped

        /// Follows nobody yet.
        public init() {}

        /// The answer about an entitlement; unknown as long as there is no view.
        public func answer(for entitlement: String) -> EntitlementAnswer { view?.answer(for: entitlement) ?? .unknown }

        /// Whether a purchase of this product waits for somebody's approval. It grants nothing until then.
        public func isPending(_ productId: String) -> Bool {
            view?.pending.contains { $0.productId == productId } ?? false
        }

        /// Keeps `view` and `status` up to date until the task is cancelled. Answers that were not believed change nothing.
        public func follow(_ client: EntitledClient) async {
            async let statuses: Void = followStatus(client)
            for await update in client.updates {
                if case .verified(let newest) = update { view = newest }
            }
            await statuses
        }

        private func followStatus(_ client: EntitledClient) async {
            for await newest in client.connectionStatus { status = newest }
        }
    }
#endif
