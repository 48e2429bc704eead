import Entitlements

/// How long an answer takes from a state at hand: derivation and snapshot, with the next change, of accounts of several sizes.
public struct DeriveBenchmark: Sendable {
    /// The account's transactions.
    public let transactions: Int
    /// Microseconds for derivation and snapshot together, median of all rounds.
    public let answerMicroseconds: Double
    /// Microseconds for the derivation alone, median of all rounds.
    public let derivationMicroseconds: Double
    /// Microseconds for folding the account's events from the first one, median of all rounds.
    public let foldMicroseconds: Double

    /// Measures one account. Subscriptions of two years with monthly renewals, one purchase for ever in twelve.
    public init(transactions: Int, rounds: Int = 200) {
        let events = Self.events(transactions)
        let state = AccountState.fold(events, notes: [], account: Self.account)
        let catalogs = CatalogHistory(Self.catalog)
        let now = Self.start + 400 * Time.day
        self.transactions = transactions
        answerMicroseconds = Self.median(rounds) {
            state.snapshot(bundleId: "com.example.app", environment: .production, at: now, catalogs: catalogs)
                .entitlements.count
        }
        derivationMicroseconds = Self.median(rounds) {
            Derivation(state: state, catalogs: catalogs).grantors.count
        }
        foldMicroseconds = Self.median(max(5, rounds / 10)) {
            Int(AccountState.fold(events, notes: [], account: Self.account).version)
        }
    }

    private static let start: Milliseconds = 1_767_225_600_000
    private static let account = AccountID("a1a1a1a1-0000-4000-8000-00000000000a") ?? .nobody
    private static let catalog = Catalog(
        bundleId: "com.example.app",
        products: [
            "pro.m": Product(type: .autoRenewable, subscriptionGroup: "main", level: 1, entitlements: ["pro"]),
            "life": Product(type: .nonConsumable, level: 2, entitlements: ["export"]),
        ])

    private static func events(_ count: Int) -> [Event] {
        (0..<count).compactMap { index in
            let isSubscription = index % 12 != 11
            // A lineage is two years of monthly periods.
            let (lineage, period) = (index / 24, Int64(index % 24))
            let id = "\(2_000_000_000_000_000 + index)"
            let purchase = start + period * 30 * Time.day
            var payload: JSONObject = [
                "transactionId": .string(id), "bundleId": "com.example.app", "environment": "Production",
                "originalTransactionId": .string(isSubscription ? "\(2_000_000_000_000_000 + lineage * 24)" : id),
                "productId": isSubscription ? "pro.m" : "life", "purchaseDate": .integer(purchase),
                "type": isSubscription ? "Auto-Renewable Subscription" : "Non-Consumable",
                "signedDate": .integer(purchase + 2000), "appAccountToken": .string(account.description),
                "inAppOwnershipType": "PURCHASED", "quantity": 1, "storefront": "USA", "transactionReason": "RENEWAL",
            ]
            if isSubscription { payload["expiresDate"] = .integer(purchase + 30 * Time.day) }
            return Transaction(payload: payload).map {
                Event(
                    body: .transaction($0, tokenIsKnown: true), source: .notification, recordedAt: purchase + 5000)
            }
        }
    }

    /// The median of the rounds. What `body` returns is summed and looked at, so that no round is left out as useless.
    private static func median(_ rounds: Int, _ body: () -> Int) -> Double {
        let clock = ContinuousClock()
        var sum = 0
        let times = (0..<max(1, rounds)).map { _ in clock.measure { sum &+= body() } }.sorted()
        precondition(sum != 0, "an account with transactions has an answer")
        return times[times.count / 2] / .microseconds(1)
    }
}
