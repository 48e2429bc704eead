public import Entitlements
public import EventLog

extension SyncEngine {
    /// What an operator's search found, by environment.
    public struct Found: Sendable {
        /// Accounts that have events.
        public var accounts: [(environment: Environment, account: AccountID, version: Int64)] = []
        /// Purchases, whoever has them.
        public var purchases: [FoundPurchase] = []
    }

    /// Whose an id is: of an account, a transaction, an original transaction or a grant. In one environment, or in all that
    /// the app takes. Throws `SyncError`.
    public func find(_ id: String, environment: Environment?, app: ServedApp) async throws -> Found {
        var found = Found()
        let environments = environment.map { [$0] } ?? app.terms.environments.sorted { $0.rawValue < $1.rawValue }
        for environment in environments {
            var accounts: Set<AccountID> = []
            if let account = AccountID(id) { accounts.insert(account) }
            let (purchases, holders) = try await reaching {
                try await store.search(app: app.number, environment: environment, id: id)
            }
            found.purchases += purchases
            accounts.formUnion(holders)
            accounts.formUnion(purchases.flatMap(\.parties))
            for account in accounts.sorted() {
                let version = try await self.version(of: account, environment: environment, app: app)
                if version > 0 { found.accounts.append((environment, account, version)) }
            }
        }
        return found
    }

    /// Does what an operator wants, with a record of it: written before, so that nothing is done without one, and
    /// completed afterwards. `refusal` names what was thrown. Throws what the body throws, or `SyncError`.
    public func recorded<Value: Sendable>(
        _ entry: AuditEntry, refusal: (any Error) -> String, _ body: () async throws -> Value
    ) async throws -> Value {
        try await reaching { try await store.recordAct(entry) }
        let value: Value
        do {
            value = try await body()
        } catch {
            try? await store.finishAct(entry, outcome: refusal(error))
            throw error
        }
        // The act itself is done and durable; its record says at least that it began.
        try? await store.finishAct(entry, outcome: "done")
        return value
    }

    /// What operators did, the newest first. Throws `SyncError`.
    public func acts(
        app: ServedApp, account: AccountID?, before position: AuditPosition, limit: Int32
    ) async throws -> [AuditEntry] {
        try await reaching {
            try await store.acts(app: app.number, account: account, before: position, limit: limit)
        }
    }
}
