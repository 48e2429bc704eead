public import Entitlements

/// Replays a case in memory, through the same decisions and folds as the service.
public struct WorldTarget: CaseTarget {
    /// The app after the steps so far.
    public private(set) var world: World
    private let beginning: World
    private var steps: [CaseStep] = []

    /// An app in which nothing has happened yet, on an ordinary server (rules.md R5).
    public init(_ serverCase: ServerCase) {
        let app = AppTerms(
            bundleId: serverCase.catalog.bundleId, catalogs: CatalogHistory(serverCase.catalog))
        beginning = World(app: app, known: Set(serverCase.known))
        world = beginning
    }

    /// Lets a step happen.
    public mutating func apply(_ step: CaseStep) -> [String] {
        steps.append(step)
        return world.apply(step)
    }

    /// The account's snapshot, in the JSON of the public surface.
    public func snapshot(
        account: AccountID, environment: Environment, at: Milliseconds, knownAt: Milliseconds?
    ) throws -> JSONObject {
        let snapshot = world.snapshot(account: account, environment: environment, at: at, knownAt: knownAt)
        return try JSONValue(parsing: snapshot.json, limits: .file).objectValue ?? JSONObject()
    }

    /// The lineages that nobody owned when only the steps up to `knownAt` had happened.
    public func unclaimed(environment: Environment, knownAt: Milliseconds?) -> [String] {
        guard let knownAt else { return world.unclaimed(environment: environment) }
        var earlier = beginning
        for step in steps where step.at <= knownAt { _ = earlier.apply(step) }
        return earlier.unclaimed(environment: environment)
    }
}

extension World {
    /// Lets a step happen; its outcomes as the case format spells them.
    fileprivate mutating func apply(_ step: CaseStep) -> [String] {
        switch step.action {
        case .notification(let payload):
            let data = payload["data"]?.objectValue
            let outcome = notify(
                payload, transaction: data?["transaction"]?.objectValue, renewalInfo: data?["renewalInfo"]?.objectValue,
                at: step.at)
            return [outcome.description]
        case .push(let account, let transactions, let renewalInfos):
            return push(
                account: account.id, transactions: transactions, renewalInfos: renewalInfos, at: step.at
            ).map(\.description)
        case .restore(let account, let transactions, let renewalInfos):
            return push(
                account: account.id, transactions: transactions, renewalInfos: renewalInfos, isRestore: true,
                at: step.at
            ).map(\.description)
        case .spend(let account, let environment, let spend):
            return [Self.word(self.spend(spend, account: account.id, environment: environment, at: step.at))]
        case .grant(let account, let environment, let id, let entitlement, let from, let until):
            let wish = GrantWish(id: id, entitlement: entitlement, from: from, until: until)
            return [Self.word(grant(wish, account: account.id, environment: environment, at: step.at))]
        case .revokeGrant(let id): return [Self.word(revokeGrant(id: id, at: step.at))]
        case .known(let account):
            makeKnown(account.id, at: step.at)
            return ["ok"]
        case .erase(let account): return [Self.word(erase(account.id, at: step.at))]
        }
    }

    /// What is no fact is `ok` or refused; asking for it again answers the same.
    private static func word(_ outcome: Outcome) -> String {
        outcome == .recorded || outcome == .duplicate ? "ok" : outcome.description
    }
}
