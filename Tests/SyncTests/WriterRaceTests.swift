import AppStoreSimulator
import Entitlements
import EventLog
import Sync
import TestSupport
import Testing

/// What another instance appends between a writer's decision and its commit.
@Suite struct WriterRaceTests {
    private static func payload(_ id: Int, lineage: Int) -> JSONObject {
        [
            "transactionId": .string("\(id)"), "originalTransactionId": .string("\(lineage)"),
            "bundleId": "com.example.app", "productId": "life", "environment": "Production",
            "type": "Non-Consumable", "quantity": 1, "purchaseDate": 1_790_000_000_000,
            "signedDate": .integer(1_790_000_000_000 + Int64(id)), "inAppOwnershipType": "PURCHASED",
        ]
    }

    /// A notification tells of it: nobody pushed it yet.
    private static func learn(_ id: Int, lineage: Int, _ engine: SyncEngine, _ app: ServedApp) async throws {
        let transaction = try authority.sign(payload(id, lineage: lineage))
        let notification: JSONObject = [
            "notificationType": "ONE_TIME_CHARGE", "notificationUUID": .string("race-\(id)"), "version": "2.0",
            "signedDate": .integer(1_790_000_000_000 + Int64(id)),
            "data": [
                "bundleId": "com.example.app", "environment": "Production",
                "signedTransactionInfo": .string(transaction),
            ],
        ]
        let answer = try await engine.notify(signedPayload: try authority.sign(notification), app: app)
        #expect("\(answer)".contains("unclaimed"), "\(answer)")
    }

    @Test(arguments: [0, 1 << 24]) func anAppendToTheSameStreamIsSeen(_ memory: Int) async throws {
        try await withEngine(catalog: EngineTests.catalog) { fixture, _ in
            let (account, app, engine) = (EngineTests.account(1), fixture.app, fixture.engine)
            let other = try EngineTests.transaction(2, product: "coins", token: account)
            let instance = fixture.instance(memory: memory) {
                _ = try await engine.push(transactions: [other], account: account, app: app)
            }
            let answer = try await instance.push(
                transactions: [try EngineTests.transaction(1, product: "coins", token: account)], account: account,
                app: app)
            #expect(answer.views[.production]?.snapshot.balances == ["coins": 200])
            #expect(answer.views[.production]?.order.version == 2)
        }
    }

    /// rules.md R7.3: who claims a lineage gets all that is known of it.
    @Test(arguments: [0, 1 << 24]) func aFactThatComesWhileItsLineageIsClaimedReachesTheOwner(_ memory: Int)
        async throws
    {
        try await withEngine(catalog: EngineTests.catalog) { fixture, _ in
            let (account, app, engine) = (EngineTests.account(1), fixture.app, fixture.engine)
            try await Self.learn(500, lineage: 500, engine, app)
            let instance = fixture.instance(memory: memory) { try await Self.learn(501, lineage: 500, engine, app) }
            _ = try await instance.push(
                transactions: [try EngineTests.transaction(500)], account: account, app: app)
            let key = StreamKey(app: app.number, environment: .production, account: account)
            let state = try await engine.reader.state(of: key)
            #expect(state.lineages["500"]?.transactions.keys.sorted() == ["500", "501"])
        }
    }
}
