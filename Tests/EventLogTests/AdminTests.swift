import Entitlements
import Postgres
import TestSupport
import Testing

@testable import EventLog

struct AdminTests {
    @Test func anAppKeepsItsNumberForEver() async throws {
        try await withLog { _, session in
            let store = EventStore(session)
            let first = try await store.addApp(
                bundleId: "com.example.a", appAppleId: 1, environments: [.production, .sandbox], at: now)
            #expect(try await store.removeApp(bundleId: "com.example.a", at: now))
            #expect(try await store.removeApp(bundleId: "com.example.a", at: now) == false)
            let second = try await store.addApp(
                bundleId: "com.example.b", appAppleId: nil, environments: [.sandbox], at: now)
            #expect(second == first + 1)
            #expect(try await store.apps().map(\.bundleId) == ["com.example.b"])
            let again = try await store.addApp(
                bundleId: "com.example.a", appAppleId: 2, environments: [.production], at: now + 1)
            #expect(again == first)
            let stored = StoredApp(
                app: first, bundleId: "com.example.a", appAppleId: 2, environments: [.production], createdAt: now)
            #expect(try await store.apps().first == stored)
        }
    }

    @Test func catalogRevisionsAreComparedAndSet() async throws {
        try await withLog { _, session in
            let store = EventStore(session)
            let app = try await store.addApp(
                bundleId: "com.example.a", appAppleId: nil, environments: [.production], at: now)
            func add(_ app: Int16, previous: Int32) async throws -> Int32? {
                try await store.appendCatalogRevision(
                    app: app, previous: previous, actor: "someone", reason: "why", document: "{}", at: now)
            }
            #expect(try await add(app, previous: 0) == 1)
            #expect(try await add(app, previous: 0) == nil)
            #expect(try await add(app, previous: 1) == 2)
            #expect(try await add(99, previous: 0) == nil)
            #expect(try await store.catalogRevisions(app: app).map(\.revision) == [1, 2])
            #expect(try await store.catalogRevisions(app: app, after: 1).map(\.revision) == [2])
        }
    }

    @Test func aHeaderIsStoredOnce() async throws {
        try await withLog { database, session in
            let first = ChainDirectory(EventStore(session))
            let id = try await first.id(of: [1, 2, 3], at: now)
            #expect(id > 0)
            #expect(try await first.id(of: [], at: now) == 0)
            try await withPostgresSession(database) { other in
                let second = ChainDirectory(EventStore(other))
                let header = try await second.header(id)
                #expect(header == [1, 2, 3])
                #expect(try await second.header(0) == [])
                #expect(try await second.id(of: [1, 2, 3], at: now) == id)
                #expect(try await second.id(of: [4], at: now) == id + 1)
                let error = await #expect(throws: EventLogError.self) { try await second.header(99) }
                #expect(error?.code == .corruptLog)
            }
        }
    }

    @Test func activationsAndEpochsOnlyGrow() async throws {
        try await withLog { _, session in
            let store = EventStore(session)
            #expect(try await store.identity() == LogIdentity(epoch: 1, activation: 1, generation: 1))
            try await store.createGeneration(2, at: now)
            await #expect(throws: PostgresError.self) { try await store.activate(2, actor: "someone", at: now) }
            #expect(try await store.markVerified(2))
            #expect(try await store.activate(2, actor: "someone", at: now) == 2)
            #expect(try await store.generations().map(\.state) == [.kept, .active])
            #expect(try await store.activate(1, actor: "someone", at: now) == 3)
            #expect(try await store.beginEpoch() == 2)
            #expect(try await store.identity() == LogIdentity(epoch: 2, activation: 3, generation: 1))
        }
    }
}
