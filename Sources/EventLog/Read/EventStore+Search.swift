public import Entitlements
import FoundationEssentials
import Postgres

/// A purchase as the lineage directory has it.
public struct FoundPurchase: Sendable, Hashable {
    /// Its original transaction id and environment.
    public var lineage: LineageRef
    /// The accounts that own it or did.
    public var parties: [AccountID]
    /// Whether its owner was erased and nobody may claim it.
    public var isLocked: Bool
}

extension EventStore {
    /// The purchases and grants of an id in an environment: of a transaction, an original transaction or a grant.
    /// Whoever has a grant is in `accounts`.
    public func search(
        app: Int16, environment: Environment, id: String
    ) async throws -> (purchases: [FoundPurchase], accounts: [AccountID]) {
        let rows = try await run(Self.searchTransactions, app, try environment.number, id)
        var lineages = [id]
        var accounts: [AccountID] = []
        for row in rows {
            let account = AccountID(try row.decode(UUID.self, at: 0))
            let lineage: String = try row.decode(at: 1)
            if !lineage.isEmpty { lineages.append(lineage) } else if account != .nobody { accounts.append(account) }
        }
        var purchases: [FoundPurchase] = []
        for id in Set(lineages).sorted() {
            let lineage = LineageRef(environment, id)
            guard let record = try await self.lineage(LineageKey(app: app, lineage)) else { continue }
            purchases.append(
                FoundPurchase(lineage: lineage, parties: record.parties, isLocked: record.isLocked))
        }
        return (purchases, accounts.sorted())
    }

    private static let searchTransactions = PostgresStatement(
        name: "search_transactions",
        sql: """
            SELECT DISTINCT e.account, e.original_transaction_id FROM ev.event e
             WHERE e.transaction_id = $3 AND e.transaction_id <> '' AND e.transaction_id <> e.original_transaction_id
               AND e.app = $1 AND e.environment = $2 LIMIT 100
            """,
        parameterTypes: [.int2, .int2, .text])
}
