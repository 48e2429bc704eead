import Postgres
import TestSupport
import Testing

@testable import EventLog

/// The shapes of a batch, one by one.
struct AppendTests {
    @Test func numbersAreDenseAndRepeatsAnswerTheFirstCopy() async throws {
        try await withLog { _, session in
            let store = EventStore(session)
            let batch = [group(1, [1, 2]), group(2, [3])]
            let first = try await store.append(batch)
            #expect(first.map(\.code) == [.written, .written])
            #expect(first.map(\.version) == [2, 1])
            #expect(first[0].events.map(\.seq) == [1, 2])

            let again = try await store.append(batch)
            #expect(again.map(\.code) == [.known, .known])
            #expect(again.map { $0.events.map(\.seq) } == [[1, 2], [1]])
            #expect(again.map { $0.events.map(\.lanePosition) } == first.map { $0.events.map(\.lanePosition) })
            #expect(try await session.texts("SELECT count(*) FROM ev.event") == [["3"]])
        }
    }

    @Test func aKnownEventBesideANewOneStopsItsGroupOnly() async throws {
        try await withLog { _, session in
            let store = EventStore(session)
            _ = try await store.append([group(1, [1]), group(2, [2])])
            let results = try await store.append([
                group(1, at: version(1), [1, 3]), group(2, at: version(1), [4]),
            ])
            #expect(results[0].code == .conflict)
            #expect(results[0].events.map(\.code) == [.known, .conflict])
            #expect(results[1].code == .written)
        }
    }

    @Test func aKeyRepeatedInAGroupCountsOnce() async throws {
        try await withLog { _, session in
            let results = try await EventStore(session).append([group(1, [1, 1, 2])])
            #expect(results[0].events.map(\.code) == [.written, .known, .written])
            #expect(results[0].events.map(\.seq) == [1, 1, 2])
            #expect(results[0].version == 2)
        }
    }

    @Test func aSetWithOneBadMemberWritesNothing() async throws {
        try await withLog { _, session in
            let store = EventStore(session)
            _ = try await store.append([group(1, [1])])
            let results = try await store.append([
                group(1, set: 7, at: version(1), [2]), group(2, set: 7, at: version(9), [3]), group(3, [4]),
            ])
            #expect(results.map(\.code) == [.conflict, .conflict, .written])
            #expect(results.map(\.version) == [1, 0, 1])
            #expect(try await store.versions(of: [key(1).id, key(2).id, key(3).id]) == [key(1).id: 1, key(3).id: 1])
        }
    }

    @Test func aHeldLaneAnswersBusyWithoutWaiting() async throws {
        try await withLog { database, session in
            let store = EventStore(session)
            let lane = key(1).id.lane
            try await withPostgresSession(database) { other in
                try await other.transaction { transaction in
                    try await transaction.execute("SELECT 1 FROM ev.lane WHERE lane = \(lane) FOR UPDATE")
                    let results = try await store.append([group(1, [1]), group(2, [2])], wait: false)
                    #expect(results.map(\.code) == [.busy, .written])
                    let set = try await store.append(
                        [group(1, set: 1, [1]), group(2, set: 1, at: version(1), [3])], wait: false)
                    #expect(set.map(\.code) == [.busy, .busy])
                }
            }
        }
    }

    @Test func datesMoveTheStateAndNotTheVersion() async throws {
        try await withLog { _, session in
            let store = EventStore(session)
            _ = try await store.append([group(1, [1])])
            var renewed = group(1, at: version(1), [], resigned: [resigned(1, at: 10), resigned(1, at: 20)])
            renewed.states = [state(2)]
            let results = try await store.append([renewed])
            #expect(results == [AppendResult(code: .written, version: 1, events: [])])

            let loaded = try await store.load(streams: [key(1).id], generation: 1)
            #expect(loaded.streams[key(1).id]?.version == version(1, 1))
            #expect(loaded.streams[key(1).id]?.snapshot == state(2))
            // Whoever folded without the dates must not overwrite that state.
            #expect(try await store.append([group(1, at: version(1), [2])])[0].code == .conflict)
            #expect(try await store.append([renewed])[0].code == .conflict)
            let both = group(1, at: version(1, 1), [2], resigned: [resigned(1, at: 20), resigned(1, at: 30)])
            #expect(try await store.append([both])[0].version == 2)
            #expect(try await store.resigned(of: key(1).id).map(\.copy.signedAt).sorted() == [10, 20, 30])
        }
    }

    @Test func statesOfUnknownGenerationsAreDeleted() async throws {
        try await withLog { _, session in
            let store = EventStore(session)
            try await store.createGeneration(2, at: now)
            var groups = [group(1, [1])]
            groups[0].states = [state(1), state(2)]
            _ = try await store.append(AppendBatch(generations: [1, 2], groups: groups))
            #expect(try await store.load(streams: [key(1).id], generation: 2).streams[key(1).id]?.snapshot == state(2))
            // Dates too make them stale, though the version stays.
            _ = try await store.append([group(1, at: version(1), [], resigned: [resigned(1, at: 5)])])
            let loaded = try await store.load(streams: [key(1).id], generation: 2)
            #expect(loaded.streams[key(1).id] == StoredStream(version: version(1, 1), snapshot: nil))

            #expect(try await store.putRebuilt(state(9), of: key(1).id, at: version(1), generation: 2) == false)
            #expect(try await store.putRebuilt(state(9), of: key(1).id, at: version(1, 1), generation: 2))
            #expect(try await store.load(streams: [key(1).id], generation: 2).streams[key(1).id]?.snapshot == state(9))
        }
    }

    @Test func contradictionsAreRefusedBeforeAnythingIsSent() async throws {
        try await withLog { _, session in
            let store = EventStore(session)
            let bad: [[AppendGroup]] = [
                [group(1, [1]), group(1, [2])],
                [group(1, [])],
                [group(1, [], resigned: [resigned(1, at: 5)])],
                Array(repeating: group(1, [1]), count: AppendBatch.maximumGroups + 1),
            ]
            for groups in bad {
                let error = await #expect(throws: EventLogError.self) { try await store.append(groups) }
                #expect(error?.code == .malformedBatch)
            }
            var stateless = group(1, [1])
            stateless.states = []
            let error = await #expect(throws: EventLogError.self) { try await store.append([stateless]) }
            #expect(error?.code == .malformedBatch)
            let nothing = try await store.append([])
            #expect(nothing.isEmpty)
        }
    }

    @Test func needsReadCommitted() async throws {
        try await withLog { _, session in
            try await session.execute("SET default_transaction_isolation = 'repeatable read'")
            let error = await #expect(throws: PostgresError.self) {
                try await EventStore(session).append([group(1, [1])])
            }
            #expect(error?.sqlState?.rawValue == "25000")
        }
    }
}
