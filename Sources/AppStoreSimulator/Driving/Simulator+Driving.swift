import Entitlements
import Synchronization

/// What the driving routes ask and set.
extension Simulator {
    func clock() -> (now: Milliseconds, speed: Double) {
        state.withLock { ($0.clock.now(machine: MachineClock.now()), $0.clock.speed) }
    }

    /// Sets how fast time runs; 0: by steps only.
    public func setSpeed(_ speed: Double) throws {
        try step { state in
            state.clock.set(speed: speed, machine: MachineClock.now())
            try state.recorder?.note(state.clock, at: state.core.store.now)
        }
    }

    func faults() -> Faults {
        state.withLock { state in
            var faults = Faults()
            faults.delivery = state.core.delivery.faults
            faults.api = state.apiFault
            return faults
        }
    }

    func set(_ faults: Faults) {
        state.withLock { state in
            state.core.delivery.faults = faults.delivery
            state.apiFault = faults.api
        }
    }

    /// Everybody, or one customer, in plain words.
    func describe(customer name: String?) throws -> JSONObject {
        try step { state in
            let store = state.core.store
            var customers = store.customers.values.sorted { $0.name < $1.name }
            if let name { customers = [try store.knownCustomer(name)] }
            let shown = customers.prefix(Self.maximumShown)
            return [
                "now": .integer(store.now), "bundleId": .string(store.settings.bundleId),
                "environment": .string(store.settings.environment.rawValue),
                "customerCount": .integer(Int64(store.customers.count)),
                "customers": .array(shown.map { .object(store.describe($0)) }),
                "requests": .array(
                    store.requests.sorted { $0.key < $1.key }.map { id, order in
                        var request = Act.askToBuy(order).json
                        request["request"] = .string(id)
                        return .object(request)
                    }),
                "notifications": [
                    "made": .integer(Int64(state.core.delivery.entries.count)),
                    "delivered": .integer(Int64(state.core.delivery.entries.count { $0.isDelivered })),
                    "waiting": .integer(Int64(state.core.delivery.waitingCount)),
                    "underWay": .integer(Int64(state.core.delivery.underWay)),
                ],
            ]
        }
    }

    /// Customers that one description shows.
    private static let maximumShown = 1000
}

extension Store {
    fileprivate func describe(_ customer: Customer) -> JSONObject {
        var fields = Fields()
        fields.add("customer", customer.name)
        fields.add("appTransactionId", customer.appTransactionId)
        fields.add("members", .array(customer.members.map(JSONValue.string)))
        fields.add("billing", customer.billingFails.map { $0.hasGrace ? "fails, with grace" : "fails" } ?? "works")
        fields.add(
            "transactions",
            .array(
                customer.purchases.compactMap { purchases[$0] }.map {
                    .object(statement($0, signedAt: now).transaction.without(["signedDate"]))
                }))
        fields.add(
            "subscriptions",
            .array(customer.subscriptions.compactMap { subscriptions[$0] }.map { .object(describe($0)) }))
        return fields.object
    }

    private func describe(_ subscription: Subscription) -> JSONObject {
        var fields = Fields()
        fields.add("originalTransactionId", subscription.originalTransactionId)
        fields.add("subscriptionGroupIdentifier", subscription.group)
        fields.add("status", status(subscription))
        fields.add("productId", newest(subscription)?.product.id)
        fields.add("autoRenewProductId", subscription.nextProduct)
        fields.add("autoRenewStatus", subscription.isAutoRenewing ? 1 : 0)
        fields.add("expiresDate", newest(subscription)?.expiresDate)
        if case .grace(let until) = subscription.phase { fields.add("gracePeriodExpiresDate", until) }
        fields.add("sharedFrom", subscription.sharedFrom)
        fields.add("periods", .array(subscription.periods.map(JSONValue.string)))
        return fields.object
    }
}
