import AppStoreSimulator
import Entitlements
import EventLog
import Foundation
import Postgres
import Sync
import TestSupport
import Testing

/// A writer keeps the states of recently used accounts; nobody may notice but by the clock.
@Suite struct WriterMemoryTests {
    private static let catalog = EngineTests.catalog

    private static func coins(_ id: Int, _ account: AccountID) throws -> String {
        try EngineTests.transaction(id, product: "coins", token: account)
    }

    private static func key(_ account: AccountID, _ fixture: EngineFixture) -> StreamKey {
        StreamKey(app: fixture.app.number, environment: .production, account: account)
    }

    /// What is stored is what the events fold to.
    private static func expectSound(_ account: AccountID, _ fixture: EngineFixture) async throws {
        let stored = try await fixture.engine.reader.state(of: key(account, fixture))
        let folded = try await fixture.engine.reader.state(of: key(account, fixture), knownAt: .max / 1_000_000)
        #expect(stored.encoded() == folded.encoded())
    }

    private static func recalled(_ fixture: EngineFixture) async -> Int64 {
        var sum: Int64 = 0
        for writer in fixture.writers { sum += await writer.statistics.recalled }
        return sum
    }

    @Test func aKnownStreamIsNotReadAgain() async throws {
        try await withEngine(catalog: Self.catalog) { fixture, _ in
            let account = EngineTests.account(1)
            for id in 1...3 {
                let answer = try await fixture.engine.push(
                    transactions: [try Self.coins(id, account)], account: account, app: fixture.app)
                #expect(answer.views[.production]?.snapshot.balances == ["coins": Int64(id * 100)])
            }
            #expect(await Self.recalled(fixture) == 2)
            try await Self.expectSound(account, fixture)
        }
    }

    @Test func whatAnotherInstanceAppendedCounts() async throws {
        try await withEngine(catalog: Self.catalog) { fixture, _ in
            let account = EngineTests.account(1)
            let other = fixture.instance()
            for id in 1...6 {
                let engine = id.isMultiple(of: 2) ? other : fixture.engine
                let answer = try await engine.push(
                    transactions: [try Self.coins(id, account)], account: account, app: fixture.app)
                #expect(answer.views[.production]?.snapshot.balances == ["coins": Int64(id * 100)])
                #expect(answer.views[.production]?.order.version == Int64(id))
            }
            try await Self.expectSound(account, fixture)
        }
    }

    /// A push that appends nothing is answered from what is stored now, too.
    @Test func aRepeatedPushShowsWhatAnotherInstanceAppended() async throws {
        try await withEngine(catalog: Self.catalog) { fixture, _ in
            let account = EngineTests.account(1)
            let first = try Self.coins(1, account)
            _ = try await fixture.engine.push(transactions: [first], account: account, app: fixture.app)
            _ = try await fixture.instance().push(
                transactions: [try Self.coins(2, account)], account: account, app: fixture.app)
            for _ in 0..<2 {
                let answer = try await fixture.engine.push(transactions: [first], account: account, app: fixture.app)
                guard case .decided(.duplicate) = answer.transactions[0].outcome else {
                    Issue.record("\(answer.transactions[0].outcome)")
                    return
                }
                #expect(answer.views[.production]?.snapshot.balances == ["coins": 200])
                #expect(answer.views[.production]?.order.version == 2)
            }
            // The second repetition was answered from memory, after a look at the version.
            #expect(await Self.recalled(fixture) == 1)
        }
    }

    @Test func anErasureByAnotherInstanceIsSeen() async throws {
        try await withEngine(catalog: Self.catalog) { fixture, _ in
            let account = EngineTests.account(1)
            let other = fixture.instance()
            for attempt in [1, 2] {
                fixture.clock.set(1_800_000_000_000 + Milliseconds(attempt))
                let jws = try Self.coins(attempt, account)
                _ = try await fixture.engine.push(transactions: [jws], account: account, app: fixture.app)
                #expect(try await other.erase(account, app: fixture.app) == .recorded)
                // Once the same again, once something new.
                let next = attempt == 1 ? jws : try Self.coins(3, account)
                let answer = try await fixture.engine.push(transactions: [next], account: account, app: fixture.app)
                let balance: [String: Int64] = attempt == 1 ? [:] : ["coins": 100]
                #expect(answer.views[.production]?.snapshot.balances ?? [:] == balance)
                try await Self.expectSound(account, fixture)
            }
        }
    }

    @Test func aLineageThatAnotherInstanceMovedIsReadAgain() async throws {
        try await withEngine(catalog: Self.catalog) { fixture, _ in
            let (first, second) = (EngineTests.account(1), EngineTests.account(2))
            _ = try await fixture.engine.push(
                transactions: [try EngineTests.transaction(7)], account: first, app: fixture.app)
            let moved = try await fixture.instance().push(
                transactions: [try EngineTests.transaction(7)], account: second, app: fixture.app, isRestore: true)
            #expect(moved.views[.production]?.snapshot.active == ["pro"])
            let answer = try await fixture.engine.push(
                transactions: [try EngineTests.transaction(7, signed: 9)], account: first, app: fixture.app)
            guard case .decided(.belongsToAnotherAccount) = answer.transactions[0].outcome else {
                Issue.record("\(answer.transactions[0].outcome)")
                return
            }
            #expect(answer.views[.production]?.snapshot.active == [])
            for account in [first, second] { try await Self.expectSound(account, fixture) }
        }
    }

    @Test func nothingIsRememberedOverALostConnection() async throws {
        try await withEngine(catalog: Self.catalog, writers: 1) { fixture, database in
            let account = EngineTests.account(1)
            _ = try await fixture.engine.push(
                transactions: [try Self.coins(1, account)], account: account, app: fixture.app)
            let session = try await PostgresSession.connect(to: database.connectionString, on: testReactor)
            // All but this one and the reader: the writer's.
            _ = try await session.execute(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                 WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%append_batch%'
                """)
            await session.close()
            let answer = try await fixture.engine.push(
                transactions: [try Self.coins(2, account)], account: account, app: fixture.app)
            #expect(answer.views[.production]?.snapshot.balances == ["coins": 200])
            #expect(await Self.recalled(fixture) == 0)
            try await Self.expectSound(account, fixture)
        }
    }

    /// The same commands leave the same log, whatever the writers remember.
    @Test(arguments: [40_000, 1 << 24]) func memoryChangesNothing(_ memory: Int) async throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("memoryChangesNothing seed \(seed)")
        let remembering = try await history(memory: memory, seed: seed)
        let forgetful = try await history(memory: 0, seed: seed)
        #expect(remembering == forgetful)
    }

    /// Random commands one after the other; the events and states of all accounts then.
    private func history(memory: Int, seed: UInt64) async throws -> [String] {
        try await withEngine(catalog: Self.catalog, memory: memory) { fixture, _ in
            var random = SplitMix(seed: seed)
            let accounts = (0..<6).map(EngineTests.account)
            let instances = [fixture.engine, fixture.instance(memory: memory)]
            var outcomes: [String] = []
            for step in 0..<80 {
                fixture.clock.set(1_800_000_000_000 + Milliseconds(step))
                let engine = instances[Int.random(in: 0..<2, using: &random)]
                let account = accounts[Int.random(in: 0..<6, using: &random)]
                switch Int.random(in: 0..<20, using: &random) {
                case 0: outcomes.append("\(try await engine.erase(account, app: fixture.app))")
                case 1...2:
                    let spend = Spend(currency: "coins", amount: 30, idempotencyKey: "\(step / 3)")
                    outcomes += try await engine.run(
                        .spend(.account(.production, account), spend), app: fixture.app
                    ).map(\.description)
                case let kind:
                    let id = Int.random(in: 1...12, using: &random)
                    // Some name an owner, who may be unknown, and some are signed again.
                    let token = id.isMultiple(of: 3) ? accounts[id % 6] : nil
                    let jws = try EngineTests.transaction(
                        id, product: id < 7 ? "life" : "coins", token: token,
                        signed: Int64.random(in: 1...3, using: &random))
                    let answer = try await engine.push(
                        transactions: [jws], account: account, app: fixture.app, isRestore: kind < 6)
                    outcomes += answer.transactions.map { "\($0.outcome)" }
                    outcomes.append(answer.views[.production].map { "\($0.order.version) \($0.snapshot.active)" } ?? "")
                }
            }
            for account in accounts {
                let key = Self.key(account, fixture)
                let rows = try await fixture.store.events(of: key.id, limit: 1000)
                outcomes += rows.map { "\($0.seq) \($0.content.dedupeKey) \($0.content.kind) \($0.recordedAt)" }
                outcomes.append("\(try await fixture.engine.reader.state(of: key).encoded())")
                try await Self.expectSound(account, fixture)
            }
            return outcomes
        }
    }
}
