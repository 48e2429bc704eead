import Entitlements
import Postgres
import TestSupport
import Testing

@testable import EventLog

/// The lineage directory and who is known: written with the append, or not at all.
struct DirectoryTests {
    private let ref = LineageKey(app: 1, lineage("L1"))

    @Test func rowsAreComparedAndSet() async throws {
        try await withLog { _, session in
            let store = EventStore(session)
            let mine = record(parties: [account(1)])
            let new = LineageChange.write(mine, of: lineage("L1"), expected: 0)
            #expect(try await store.append([group(1, [1], lineages: [new])])[0].code == .written)
            #expect(try await store.lineage(ref)?.version == 1)
            #expect(try await store.lineage(ref)?.parties == [account(1)])

            // A second "new" one loses, and its other new row leaves nothing behind.
            let other = LineageChange.write(record(), of: lineage("L0"), expected: 0)
            let late = try await store.append([group(2, [2], lineages: [other, new]), group(3, [3])])
            #expect(late.map(\.code) == [.conflict, .written])
            #expect(try await session.texts("SELECT original_transaction_id FROM ev.lineage") == [["L1"]])

            let both = record(parties: [account(1), account(2)])
            let moved = LineageChange.write(both, of: lineage("L1"), expected: 1)
            #expect(try await store.append([group(2, [2], lineages: [moved])])[0].code == .written)
            #expect(try await store.lineage(ref)?.version == 2)
        }
    }

    @Test func aComparedRowStaysAndMustFit() async throws {
        try await withLog { _, session in
            let store = EventStore(session)
            let new = LineageChange.write(record(parties: [account(1)]), of: lineage("L1"), expected: 0)
            _ = try await store.append([group(1, [1], lineages: [new])])
            let check = LineageChange.check(lineage("L1"), expected: 1)
            #expect(try await store.append([group(1, at: version(1), [2], lineages: [check])])[0].code == .written)
            #expect(try await store.lineage(ref)?.version == 1)
            let stale = LineageChange.check(lineage("L1"), expected: 2)
            #expect(try await store.append([group(1, at: version(2), [3], lineages: [stale])])[0].code == .conflict)
            let absent = LineageChange.check(lineage("L2"), expected: 1)
            #expect(try await store.append([group(1, at: version(2), [3], lineages: [absent])])[0].code == .conflict)
        }
    }

    @Test func aRowThatDoesNotFitStopsTheWholeSet() async throws {
        try await withLog { _, session in
            let store = EventStore(session)
            let good = LineageChange.write(record(parties: [account(1)]), of: lineage("L1"), expected: 0)
            let bad = LineageChange.write(record(), of: lineage("L2"), expected: 5)
            let results = try await store.append([
                group(1, set: 1, [1], lineages: [good]), group(2, set: 1, [2], lineages: [bad]),
            ])
            #expect(results.map(\.code) == [.conflict, .conflict])
            #expect(try await session.texts("SELECT count(*) FROM ev.lineage") == [["0"]])
            #expect(try await session.texts("SELECT count(*) FROM ev.account_head") == [["0"]])
        }
    }

    @Test func hintsFollowTheirRowAndAreAnsweredAtRegistration() async throws {
        try await withLog { _, session in
            let store = EventStore(session)
            let hinting = record(hints: [account(8), account(9)])
            _ = try await store.append([
                group(1, [1], lineages: [.write(hinting, of: lineage("L1"), expected: 0)])
            ])
            let unclaimed = try await store.unclaimed(app: 1, environment: .production, limit: 10)
            #expect(unclaimed.map(\.id) == ["L1"])

            let registration = try await store.registerAccount(AccountKey(app: 1, account(9)), at: now)
            #expect(registration == Registration(isNew: true, knownAt: now, hinted: [lineage("L1")]))
            let again = try await store.registerAccount(AccountKey(app: 1, account(9)), at: now + 5)
            #expect(again == Registration(isNew: false, knownAt: now, hinted: [lineage("L1")]))

            // Calling a known account unknown conflicts; without it the row is written and its hint is gone.
            let wrong = LineageChange.write(hinting, of: lineage("L1"), expected: 1)
            #expect(try await store.append([group(1, at: version(1), [2], lineages: [wrong])])[0].code == .conflict)
            let bound = record(parties: [account(9)], hints: [account(8)])
            let right = LineageChange.write(bound, of: lineage("L1"), expected: 1)
            #expect(try await store.append([group(1, at: version(1), [2], lineages: [right])])[0].code == .written)
            #expect(try await store.registerAccount(AccountKey(app: 1, account(9)), at: now).hinted.isEmpty)
            #expect(try await store.registerAccount(AccountKey(app: 1, account(8)), at: now).hinted == [lineage("L1")])
            #expect(try await store.unclaimed(app: 1, environment: .production, limit: 10).isEmpty)
        }
    }

    /// An account becomes known while appends say that it is not: either the append conflicts, or registration hears of it.
    @Test func noHintIsMissedInARace() async throws {
        try await withLog { database, session in
            try await withPostgresSession(database) { other in
                let (appending, registering) = (EventStore(session), EventStore(other))
                for number in 1...60 {
                    let hinted = account(1000 + number)
                    let change = LineageChange.write(
                        record(hints: [hinted]), of: lineage("H\(number)"), expected: 0)
                    async let append = appending.append([group(number, [number], lineages: [change])])
                    async let registration = registering.registerAccount(AccountKey(app: 1, hinted), at: now)
                    let (written, heard) = try await (append[0].code == .written, registration.hinted.count == 1)
                    #expect(written == heard)
                }
            }
        }
    }

    @Test func directoryRowsTwiceInABatchAreAFault() async throws {
        try await withLog { _, session in
            let change = LineageChange.write(record(), of: lineage("L1"), expected: 0)
            let error = await #expect(throws: PostgresError.self) {
                try await EventStore(session).append([
                    group(1, [1], lineages: [change]), group(2, [2], lineages: [change]),
                ])
            }
            #expect(error?.sqlState == .invalidParameterValue)
            let events = try await session.texts("SELECT count(*) FROM ev.event")
            #expect(events == [["0"]])
        }
    }
}
