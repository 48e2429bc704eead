import Entitlements
import FoundationEssentials
import Postgres
import TestSupport
import Testing

@testable import EventLog

struct ReadTests {
    @Test func aTailSeesEachLaneInOrderAndGoesOn() async throws {
        try await withLog { _, session in
            let store = EventStore(session)
            let accounts = crowdedAccounts(lanes: 2, each: 2)
            _ = try await store.append(accounts.map { group($0, [1, 2, 3]) })
            var positions = [Int64](repeating: 0, count: Lane.count)
            var seen: [TailEntry] = []
            while true {
                let entries = try await store.tail(after: positions, limitPerLane: 4)
                if entries.isEmpty { break }
                for entry in entries {
                    #expect(entry.position == positions[Int(entry.lane)] + 1)
                    positions[Int(entry.lane)] = entry.position
                }
                seen += entries
            }
            #expect(seen.count == 12)
            #expect(Set(seen.map(\.key)) == Set(accounts.map(key)))
            #expect(seen.allSatisfy { $0.key.id == $0.streamID })
            #expect(try await store.laneHeads() == positions)
            let none = [Int64](repeating: .max, count: Lane.count)
            #expect(try await store.tail(after: none, limitPerLane: 4).isEmpty)
        }
    }

    @Test func eventsComeBackAsTheyWereStored() async throws {
        try await withLog { _, session in
            let store = EventStore(session)
            var content = event(1, lineage: "L1")
            content.transactionId = "T1"
            content.catalogRevision = 3
            content.chainID = 7
            content.signature = [1, 2, 3]
            content.meta = [0x7B, 0x7D]
            var first = group(1, [])
            first.events = [content, event(2)]
            var second = group(1, at: version(2), [3])
            second.recordedAt = now + 10
            _ = try await store.append([first])
            _ = try await store.append([second])

            let all = try await store.events(of: key(1).id, limit: 10)
            #expect(all.map(\.content) == first.events + second.events)
            #expect(all.map(\.recordedAt) == [now, now, now + 10])
            #expect(try await store.events(of: key(1).id, after: 1, limit: 1).map(\.seq) == [2])
            #expect(try await store.events(of: key(1).id, recordedUpTo: now + 9, limit: 10).map(\.seq) == [1, 2])
            #expect(try await store.events(of: key(1).id, lineage: "L1", limit: 10).map(\.seq) == [1])
        }
    }

    @Test func loadAnswersOnlyWhatIsThere() async throws {
        try await withLog { _, session in
            let store = EventStore(session)
            let change = LineageChange.write(record(parties: [account(1)]), of: lineage("L1"), expected: 0)
            _ = try await store.append([group(1, [1], lineages: [change])])
            _ = try await store.registerAccount(AccountKey(app: 1, account(5)), at: now)
            let loaded = try await store.load(
                streams: [key(2).id, key(1).id],
                lineages: [LineageKey(app: 1, lineage("L2")), LineageKey(app: 1, lineage("L1"))],
                accounts: [AccountKey(app: 1, account(5)), AccountKey(app: 2, account(5))], generation: 1)
            #expect(loaded.streams == [key(1).id: StoredStream(version: version(1), snapshot: state(1))])
            #expect(loaded.lineages.keys.map(\.lineage.id) == ["L1"])
            #expect(loaded.known == [AccountKey(app: 1, account(5)): now])
            #expect(try await store.load(streams: [], generation: 1).streams.isEmpty)
        }
    }

    @Test func streamsAreFoundByAnyTransactionOfThem() async throws {
        try await withLog { _, session in
            let store = EventStore(session)
            let ref = LineageRef(.production, "100")
            var first = event(1, lineage: "100")
            first.transactionId = "100"
            var renewal = event(2, lineage: "100")
            renewal.transactionId = "101"
            var owned = group(1, [], lineages: [.write(record(parties: [account(1)]), of: ref, expected: 0)])
            owned.events = [first, renewal]
            let own = AppendGroup(
                key: StreamKey(app: 1, .lineage(.production, "100")), expected: .empty, recordedAt: now,
                events: owned.events, states: owned.states)
            _ = try await store.append([owned, own])
            let environment = Environment.production
            let byLineage = try await store.streams(app: 1, environment: environment, transactionOrLineage: "100")
            #expect(Set(byLineage) == [owned.key, own.key])
            let byRenewal = try await store.streams(app: 1, environment: environment, transactionOrLineage: "101")
            #expect(Set(byRenewal) == [owned.key, own.key])
            #expect(try await store.streams(app: 1, environment: .sandbox, transactionOrLineage: "101").isEmpty)
            #expect(try await store.streams(app: 1, environment: environment, transactionOrLineage: "").isEmpty)
        }
    }

    @Test func hintsReachAnotherInstance() async throws {
        try await withLog { database, session in
            try await withPostgresSession(database) { listener in
                let heard = try await LaneHints.listen(on: listener)
                try await EventStore(session).notifyDirtyLanes([5, 3, 5, 1023])
                var iterator = heard.makeAsyncIterator()
                #expect(await iterator.next() == [3, 5, 1023])
                try await EventStore(session).notifyTerms()
                #expect(await iterator.next() == [], "another catalog: no lane")
            }
            #expect(LaneHints.lanes(in: "1,x,,-3,1024,7") == [1, 7])
        }
    }

    @Test func streamIdsAreStable() {
        // Written into every database: these must never change.
        #expect(key(1).id.uuid.uuidString == "856175C3-F338-E3BE-0C51-D6F04E70F27F")
        #expect(StreamKey(app: 2, .lineage(.sandbox, "7")).id.uuid.uuidString == "410385E3-A2A0-919E-9E56-02C2DFB8CF8B")
        #expect(StreamKey(app: 3, .app).id.uuid.uuidString == "07D0DA5C-9E9C-F0D1-1281-9E97F47493DB")
        #expect(key(1).id.lane == Int16(key(1).id.uuid.uuid.0) * 4 + Int16(key(1).id.uuid.uuid.1) / 64)
    }
}
