import AppStoreSimulator
import Entitlements
import EventLog
import Foundation
import Sync
import TestSupport
import Testing

@Suite struct EngineTests {
    static let catalog = Catalog(
        bundleId: "com.example.app", appAppleId: 1,
        products: [
            "life": Product(type: .nonConsumable, entitlements: ["pro"]),
            "coins": Product(type: .consumable, credits: .init(currency: "coins", amount: 100)),
        ])

    static func account(_ number: Int) -> AccountID {
        AccountID(UUID(uuid: (9, 9, 9, 9, 9, 9, 0x40, 9, 0x80, 9, 9, 9, 9, 9, UInt8(number >> 8), UInt8(number & 255))))
    }

    static func transaction(_ id: Int, product: String = "life", token: AccountID? = nil, signed: Int64 = 1) throws
        -> String
    {
        var payload: JSONObject = [
            "transactionId": .string("\(id)"), "originalTransactionId": .string("\(id)"),
            "bundleId": "com.example.app", "productId": .string(product), "environment": "Production",
            "type": .string(product == "life" ? "Non-Consumable" : "Consumable"), "quantity": 1,
            "purchaseDate": 1_790_000_000_000, "signedDate": .integer(1_790_000_000_000 + signed),
            "inAppOwnershipType": "PURCHASED",
        ]
        if let token { payload["appAccountToken"] = .string(token.description) }
        return try authority.sign(payload)
    }

    @Test func aPushIsAnsweredWithItsView() async throws {
        try await withEngine(catalog: Self.catalog) { fixture, _ in
            let account = Self.account(1)
            let jws = try Self.transaction(1, token: account)
            let answer = try await fixture.engine.push(transactions: [jws], account: account, app: fixture.app)
            #expect(answer.transactions.map(\.transactionId) == ["1"])
            #expect(answer.views[.production]?.snapshot.active == ["pro"])
            #expect(answer.views[.production]?.order.version == 1)
            #expect(fixture.changes.count == 1)
            let view = try await fixture.engine.view(of: account, environment: .production, app: fixture.app)
            #expect(view.snapshot == answer.views[.production]?.snapshot)
        }
    }

    /// rules.md R1: a copy that only carries another signing date appends nothing.
    @Test func aCopySignedAgainChangesNoVersion() async throws {
        try await withEngine(catalog: Self.catalog) { fixture, _ in
            let account = Self.account(1)
            for signed in [1, 5, 3, 5] as [Int64] {
                let answer = try await fixture.engine.push(
                    transactions: [try Self.transaction(1, token: account, signed: signed)], account: account,
                    app: fixture.app)
                #expect(answer.views[.production]?.order.version == 1)
            }
            let key = StreamKey(app: fixture.app.number, environment: .production, account: account)
            let stored = try await fixture.engine.reader.state(of: key)
            let folded = try await fixture.engine.reader.state(of: key, knownAt: .max / 1_000_000)
            #expect(stored.encoded() == folded.encoded())
            #expect(stored.lineages["1"]?.transactions["1"]?.copies.first?.lastSigned == 1_790_000_000_005)
        }
    }

    @Test func manyAccountsPushAtOnceWithoutLossOrDoubling() async throws {
        try await withEngine(catalog: Self.catalog) { fixture, _ in
            let accounts = (0..<40).map(Self.account)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for round in 0..<5 {
                    for (index, account) in accounts.enumerated() {
                        group.addTask {
                            // Each transaction twice, from two devices at once.
                            let jws = try Self.transaction(index * 10 + round, product: "coins", token: account)
                            async let first = fixture.engine.push(
                                transactions: [jws], account: account, app: fixture.app)
                            async let second = fixture.engine.push(
                                transactions: [jws], account: account, app: fixture.app)
                            _ = try await (first, second)
                        }
                    }
                }
                try await group.waitForAll()
            }
            for account in accounts {
                let view = try await fixture.engine.view(of: account, environment: .production, app: fixture.app)
                #expect(view.snapshot.balances == ["coins": 500])
                #expect(view.order.version == 5)
            }
        }
    }

    /// rules.md R7: one serialised decision per lineage, whoever comes first.
    @Test func oneLineageIsClaimedByOneOfManyAccounts() async throws {
        try await withEngine(catalog: Self.catalog) { fixture, _ in
            let jws = try Self.transaction(77)
            let outcomes = try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<30 {
                    group.addTask {
                        let answer = try await fixture.engine.push(
                            transactions: [jws], account: Self.account(number), app: fixture.app)
                        guard case .decided(let outcome) = answer.transactions[0].outcome else { return "refused" }
                        return outcome.description
                    }
                }
                return try await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
            }
            #expect(outcomes == ["recorded": 1, "belongsToAnotherAccount": 29])
        }
    }

    @Test func anErasureRemovesPayloadsAndKeepsTheOrder() async throws {
        try await withEngine(catalog: Self.catalog) { fixture, database in
            let account = Self.account(1)
            _ = try await fixture.engine.push(
                transactions: [try Self.transaction(1, token: account)], account: account, app: fixture.app)
            #expect(try await fixture.engine.erase(account, app: fixture.app) == .recorded)
            #expect(try await fixture.engine.erase(account, app: fixture.app) == .duplicate)
            let key = StreamKey(app: fixture.app.number, environment: .production, account: account)
            let rows = try await fixture.store.events(of: key.id, limit: 10)
            #expect(rows.map(\.seq) == [1, 2])
            #expect(rows.allSatisfy { $0.content.payload.isEmpty && $0.content.transactionId.isEmpty })
            let folded = try await fixture.engine.reader.state(of: key, knownAt: .max / 1_000_000)
            #expect(try await fixture.engine.reader.state(of: key).encoded() == folded.encoded())
            let answer = try await fixture.engine.push(
                transactions: [try Self.transaction(1)], account: Self.account(2), app: fixture.app, isRestore: true)
            guard case .decided(.belongsToAnotherAccount(.locked)) = answer.transactions[0].outcome else {
                Issue.record("the lineage of an erased account must stay locked: \(answer.transactions[0].outcome)")
                return
            }
        }
    }
}
