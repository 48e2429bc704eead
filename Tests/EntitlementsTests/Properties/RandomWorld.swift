import Entitlements

/// A small app, and ways to let random things happen to it.
enum RandomWorld {
    static let catalog: Catalog = {
        func subscription(_ entitlement: String, level: Int64) -> Product {
            Product(
                type: .autoRenewable, subscriptionGroup: "main", level: level, entitlements: [entitlement])
        }
        var policies = Policies()
        policies.transferLimit = 3
        return Catalog(
            bundleId: "com.example.app",
            products: [
                "pro.m": subscription("pro", level: 2), "pro.y": subscription("pro", level: 2),
                "plus.m": subscription("plus", level: 1),
                "life": Product(type: .nonConsumable, level: 3, entitlements: ["pro"]),
                "pass30": Product(
                    type: .nonRenewing, level: 1, entitlements: ["pro"], duration: CalendarDuration("P30D")),
                "pass1m": Product(
                    type: .nonRenewing, level: 1, entitlements: ["pro", "plus"], duration: CalendarDuration("P1M"),
                    stacking: .overlap),
                "coins100": Product(type: .consumable, credits: .init(currency: "coins", amount: 100)),
            ], policies: policies)
    }()

    static let firstStep: Milliseconds = RandomFacts.origin + 60_000

    static func empty(known: [AccountID] = RandomFacts.accounts, policies: Policies? = nil) -> World {
        var catalog = catalog
        if let policies { catalog.policies = policies }
        return World(app: AppTerms(bundleId: "com.example.app", catalogs: CatalogHistory(catalog)), known: Set(known))
    }

    /// One thing that happens.
    enum Step {
        case push(AccountID, [RandomFacts.Fact], isRestore: Bool)
        case notify(RandomFacts.Fact, uuid: String)
        case known(AccountID)
        case spend(AccountID, Spend)
        case grant(AccountID, GrantWish)
        case revokeGrant(String)
        case erase(AccountID)
    }

    /// Everything that can happen, in random order, with the time of each.
    static func steps(seed: UInt64) -> [(at: Milliseconds, step: Step)] {
        var facts = RandomFacts.make(seed: seed)
        if seed % 3 == 0 { facts += RandomFacts.make(seed: seed &+ 1_000_000, environment: "Sandbox") }
        var random = SeededGenerator(seed: seed &+ 7)
        if seed % 2 == 0 { facts.shuffle(using: &random) }
        var now = firstStep
        var steps: [(at: Milliseconds, step: Step)] = []
        for (index, fact) in facts.enumerated() {
            now += Int64.random(in: 0...(4 * Time.day), using: &random)
            let account = RandomFacts.accounts.randomElement(using: &random) ?? .nobody
            switch Int.random(in: 0..<12, using: &random) {
            case 0...5: steps.append((now, .notify(fact, uuid: "n\(index)")))
            case 6...9: steps.append((now, .push(account, [fact], isRestore: false)))
            default: steps.append((now, .push(account, [fact], isRestore: true)))
            }
            steps.append(contentsOf: others(at: now, index: index, random: &random))
        }
        return steps
    }

    private static func others(
        at now: Milliseconds, index: Int, random: inout SeededGenerator
    ) -> [(at: Milliseconds, step: Step)] {
        let account = RandomFacts.accounts.randomElement(using: &random) ?? .nobody
        switch Int.random(in: 0..<25, using: &random) {
        case 0: return [(now, .known(RandomFacts.accounts[2]))]
        case 1, 2:
            let spend = Spend(
                currency: "coins", amount: Int64.random(in: 1...150, using: &random), idempotencyKey: "k\(index % 3)")
            return [(now, .spend(account, spend))]
        case 3:
            let until = Bool.random(using: &random) ? now + 20 * Time.day : nil
            return [
                (
                    now,
                    .grant(account, GrantWish(id: "g\(index)", entitlement: "pro", from: now - Time.day, until: until))
                )
            ]
        case 4: return [(now, .revokeGrant("g\(max(0, index - 1))"))]
        case 5 where index > 4: return [(now, .erase(account))]
        default: return []
        }
    }
}

extension World {
    /// Lets a fact come from Apple's server: nobody pushed it.
    mutating func learn(_ fact: RandomFacts.Fact, at now: Milliseconds) {
        switch fact {
        case .transaction(let payload):
            guard let admitted = try? app.admit(transaction: payload) else { return }
            _ = run(.learned(.transaction(admitted), source: .serverAPI), at: now)
        case .renewalInfo(let payload):
            guard let admitted = try? app.admit(renewalInfo: payload) else { return }
            _ = run(.learned(.renewalInfo(admitted), source: .serverAPI), at: now)
        }
    }

    @discardableResult
    mutating func apply(_ step: RandomWorld.Step, at now: Milliseconds) -> [Outcome] {
        switch step {
        case .push(let account, let facts, let isRestore):
            var transactions: [JSONObject] = []
            var renewalInfos: [JSONObject] = []
            for fact in facts {
                switch fact {
                case .transaction(let payload): transactions.append(payload)
                case .renewalInfo(let payload): renewalInfos.append(payload)
                }
            }
            return push(
                account: account, transactions: transactions, renewalInfos: renewalInfos, isRestore: isRestore, at: now)
        case .notify(let fact, let uuid): return [notify(fact, uuid: uuid, at: now)]
        case .known(let account):
            makeKnown(account, at: now)
            return []
        case .spend(let account, let spend):
            return [self.spend(spend, account: account, environment: .production, at: now)]
        case .grant(let account, let grant):
            return [self.grant(grant, account: account, environment: .production, at: now)]
        case .revokeGrant(let id): return [revokeGrant(id: id, at: now)]
        case .erase(let account): return [erase(account, at: now)]
        }
    }

    mutating func notify(_ fact: RandomFacts.Fact, uuid: String, at now: Milliseconds) -> Outcome {
        let envelope: JSONObject = [
            "notificationType": "DID_RENEW", "notificationUUID": .string(uuid),
            "data": ["bundleId": "com.example.app", "environment": fact.payload["environment"] ?? "Production"],
        ]
        switch fact {
        case .transaction(let payload):
            return notify(envelope, transaction: payload, renewalInfo: nil, at: now)
        case .renewalInfo(let payload):
            return notify(envelope, transaction: nil, renewalInfo: payload, at: now)
        }
    }
}

extension Snapshot {
    /// The answer without the number of events and the time asked about.
    var content: Snapshot {
        var copy = self
        copy.version = 0
        copy.asOf = 0
        return copy
    }
}
