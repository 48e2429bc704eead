import AppStoreSimulator
import Entitlements
import EventLog
import Foundation
import Postgres
import Sync
import Synchronization
import TestSupport
import Testing

/// `kill -9` of the service and of PostgreSQL while pushes are in flight.
@Suite(.serialized) struct CrashTests {
    /// A push as a device sends it: again and again until it is answered.
    private struct Push: Sendable {
        let account: AccountID
        let transactionId: String
        let jws: String
    }

    /// What was acknowledged, by transaction: the outcome.
    private final class Acknowledged: Sendable {
        private let outcomes = Mutex<[String: String]>([:])
        var count: Int { outcomes.withLock { $0.count } }
        var all: [String: String] { outcomes.withLock { $0 } }
        func note(_ transactionId: String, _ outcome: String) { outcomes.withLock { $0[transactionId] = outcome } }
    }

    private static let accounts = 50
    private static let pushesPerAccount = 40

    private static func account(_ number: Int) -> AccountID {
        AccountID(UUID(uuid: (7, 7, 7, 7, 7, 7, 0x47, 7, 0x87, 7, 7, 7, 7, 7, 7, UInt8(number))))
    }

    private static func pushes() throws -> [Push] {
        var pushes: [Push] = []
        for number in 0..<accounts {
            for purchase in 0..<pushesPerAccount {
                let id = "\(9_000_000 + number * 1000 + purchase)"
                let payload: JSONObject = [
                    "transactionId": .string(id), "originalTransactionId": .string(id),
                    "bundleId": "com.example.app", "productId": "coins.100", "environment": "Sandbox",
                    "type": "Consumable", "quantity": 1, "purchaseDate": .integer(1_790_000_000_000 + Int64(purchase)),
                    "signedDate": .integer(1_790_000_000_000), "inAppOwnershipType": "PURCHASED",
                    "appAccountToken": .string(account(number).description),
                ]
                pushes.append(Push(account: account(number), transactionId: id, jws: try authority.sign(payload)))
            }
        }
        return pushes.shuffled()
    }

    @Test func everyAcknowledgedPushIsThereOnce() async throws {
        let dev = try DevProcess()
        defer { dev.end() }
        try dev.start()
        let pushes = try Self.pushes()
        let acknowledged = Acknowledged()
        var tokens: [AccountID: String] = [:]
        for number in 0..<Self.accounts {
            let account = Self.account(number)
            let answer = try await dev.client.send(
                "POST", "/v1/apps/com.example.app/accounts/\(account)/tokens?ttl=86400", token: dev.token("backend"))
            tokens[account] = try #require(answer.json["token"]?.stringValue, "no token: \(answer.status)")
        }

        // First all in flight at once; then three times more what was not acknowledged, as devices do.
        for round in 0..<4 {
            let client = dev.client
            let done = acknowledged.all
            let open = pushes.filter { done[$0.transactionId] == nil }
            async let fault: Void = strike(round, dev, acknowledged)
            await withTaskGroup(of: Void.self) { group in
                for push in open {
                    group.addTask { [tokens] in
                        let answer = try? await client.send(
                            "POST",
                            "/v1/apps/com.example.app/accounts/\(push.account)/transactions?environment=Sandbox",
                            token: tokens[push.account] ?? "", body: ["signedTransactions": [.string(push.jws)]])
                        let result = answer?.json["results"]?.arrayValue?.first?.objectValue
                        if result?["finish"]?.boolValue == true, let outcome = result?["outcome"]?.stringValue {
                            acknowledged.note(push.transactionId, outcome)
                        }
                    }
                }
            }
            try await fault
        }
        let answered = acknowledged.all
        #expect(answered.count == pushes.count, "the last round has no fault: all must be acknowledged")
        try await verify(dev, answered: answered)
    }

    /// Strikes once some of the round's pushes are acknowledged: in the middle of the work, whatever the machine's speed.
    private func strike(_ round: Int, _ dev: DevProcess, _ acknowledged: Acknowledged) async throws {
        guard round < 3 else { return }
        let before = acknowledged.count
        let clock = ContinuousClock()
        let end = clock.now + .seconds(20)
        while acknowledged.count < before + 200, clock.now < end { await Task.yield() }
        switch round {
        case 0:
            dev.killService()
            try dev.start()
        case 1:
            try dev.killDatabase()
            // The service must come back by itself once the database does; here `dev` owns both, so it is started anew.
            dev.killService()
            try dev.start()
        default:
            dev.killService()
            try dev.killDatabase()
            try dev.start()
        }
    }

    /// Reads the log itself: each acknowledged event once, dense versions and lanes, stored states equal to a replay.
    private func verify(_ dev: DevProcess, answered: [String: String]) async throws {
        let database = try #require(dev.ready["database"]?.stringValue)
        let session = try await PostgresSession.connect(to: database, on: testReactor)
        let store = EventStore(session)
        let app = try #require(try await store.apps().first { $0.bundleId == "com.example.app" })
        var found: [String: Int] = [:]
        for number in 0..<Self.accounts {
            let key = StreamKey(app: app.app, environment: .sandbox, account: Self.account(number))
            let rows = try await store.events(of: key.id, limit: 1000)
            #expect(rows.map(\.seq) == Array(1...Int64(max(1, rows.count))), "versions of account \(number) are dense")
            for row in rows { found[row.content.transactionId, default: 0] += 1 }
            let loaded = try await store.load(streams: [key.id], generation: Projection.current)
            let replay = try await StateReader(store: store).fold(key.id, account: key.account)
            #expect(
                loaded.streams[key.id]?.snapshot?.state == replay.encoded(),
                "the stored state of account \(number) is the replay's")
        }
        for id in answered.keys { #expect(found[id] == 1, "\(id) is there once") }
        let heads = try await store.laneHeads()
        let entries = try await store.tail(after: Array(repeating: 0, count: Lane.count), limitPerLane: 100_000)
        let lanes = Dictionary(grouping: entries, by: \.lane)
        for (lane, entries) in lanes {
            #expect(entries.map(\.position) == Array(1...heads[Int(lane)]), "lane \(lane) is dense")
        }
        await session.close()
    }
}
