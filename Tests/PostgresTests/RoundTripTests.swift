import Foundation
import Postgres
import TestSupport
import Testing

/// Every Swift type goes to the server and comes back, in binary format.
@Suite struct RoundTripTests {
    private func roundTrip<V: PostgresValue & Equatable>(_ values: [V]) async throws {
        try await withPostgresSession(TestDatabase.admin) { session in
            let type = V.postgresType
            let statement = PostgresStatement(name: "echo", sql: "SELECT $1 AS value", parameterTypes: [type])
            for value in values {
                let result = try await session.query(statement, PostgresParameters(value))
                #expect(try result[0].decode(V.self, at: 0) == value)
                #expect(try result[0].decode(V?.self, named: "value") == .some(value))
            }
            let result = try await session.query(statement, PostgresParameters(V?.none))
            #expect(try result[0].decode(V?.self, at: 0) == nil)
            #expect(throws: PostgresError.self) { try result[0].decode(V.self, at: 0) }
        }
    }

    /// The values, arrays of them, and arrays with NULL elements.
    private func roundTrips<V: PostgresScalar & Equatable>(_ values: [V]) async throws
    where [V]: PostgresValue, [V?]: PostgresValue {
        try await roundTrip(values)
        try await roundTrip([values, [], [values[0]]])
        try await roundTrip([values.map(Optional.some) + [nil], [nil], []])
    }

    @Test func booleans() async throws { try await roundTrips([true, false]) }

    @Test func integers() async throws {
        try await roundTrips([0, 1, -1, .min, .max] as [Int16])
        try await roundTrips([0, 1, -1, .min, .max] as [Int32])
        try await roundTrips([0, 1, -1, .min, .max] as [Int64])
    }

    @Test func texts() async throws {
        try await roundTrips(["", "a", "Grüße, 世界 🗝", "NULL", "{\"a\",b}", String(repeating: "é", count: 100_000)])
    }

    @Test func uuids() async throws {
        try await roundTrips((0..<10).map { _ in UUID() })
    }

    @Test func bytes() async throws {
        let megabyte = (0..<1_048_576).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try await roundTrips([[], [0], Array(0...255), megabyte])
    }

    @Test func timestamps() async throws {
        let values: [Int64] = [0, 1, -1, 946_684_800_000, 1_700_000_000_123, -62_135_596_800_000]
        try await roundTrips(values.map(PostgresTimestamp.init))
    }

    @Test func timestampsMeanTheSameToTheServer() async throws {
        try await withPostgresSession(TestDatabase.admin) { session in
            let statement = PostgresStatement(
                name: "s",
                sql: "SELECT $1 = timestamptz '2023-11-14 22:13:20.123+00', timestamptz '1969-12-31 23:59:59.9991+00'",
                parameterTypes: [.timestamptz])
            let result = try await session.query(
                statement, PostgresParameters(PostgresTimestamp(1_700_000_000_123)))
            #expect(try result[0].decode(Bool.self, at: 0))
            #expect(try result[0].decode(PostgresTimestamp.self, at: 1) == PostgresTimestamp(-1))
        }
    }

    @Test(arguments: [Int64.max, .min, 9_300_000_000_000_000])
    func aTimestampOutOfRangeIsRefused(milliseconds: Int64) async throws {
        try await withPostgresSession(TestDatabase.admin) { session in
            let statement = PostgresStatement(name: "s", sql: "SELECT $1", parameterTypes: [.timestamptz])
            let error = await #expect(throws: PostgresError.self) {
                try await session.query(statement, PostgresParameters(PostgresTimestamp(milliseconds)))
            }
            #expect(error?.sqlState == .datetimeFieldOverflow)
        }
    }

    @Test func aLargeArrayOfEachKind() async throws {
        let count = 1000
        try await withPostgresSession(TestDatabase.admin) { session in
            let types: [PostgresType] = [
                .int2Array, .int8Array, .uuidArray, .textArray, .byteaArray, .timestamptzArray,
            ]
            let statement = PostgresStatement(
                name: "unnest",
                sql: """
                    SELECT count(*), sum(a), sum(b), count(DISTINCT c), sum(length(d)), sum(length(e)), max(f)
                    FROM unnest($1, $2, $3, $4, $5, $6) AS t(a, b, c, d, e, f)
                    """, parameterTypes: types)
            var parameters = PostgresParameters(reservingBytes: 1 << 16)
            parameters.append((0..<count).map { Int16($0) })
            parameters.append((0..<count).map { Int64($0) })
            parameters.append((0..<count).map { _ in UUID() })
            parameters.append((0..<count).map { String(repeating: "x", count: $0) })
            parameters.append((0..<count).map { [UInt8](repeating: 7, count: $0) })
            parameters.append((0..<count).map { PostgresTimestamp(Int64($0)) })
            let row = try await session.query(statement, parameters)[0]
            #expect(try row.decode(Int64.self, at: 0) == 1000)
            #expect(try row.decode(Int64.self, at: 1) == 499_500)
            #expect(try row.decode(Int64.self, at: 3) == 1000)
            #expect(try row.decode(Int64.self, at: 4) == 499_500)
            #expect(try row.decode(Int64.self, at: 5) == 499_500)
            #expect(try row.decode(PostgresTimestamp.self, at: 6) == PostgresTimestamp(999))
        }
    }

    @Test func decodingNamesTheColumnAndBothTypes() async throws {
        try await withPostgresSession(TestDatabase.admin) { session in
            let statement = PostgresStatement(
                name: "s",
                sql: "SELECT 'x' AS word, NULL::int8 AS nothing, ARRAY[[1]] AS matrix, 'infinity'::timestamptz AS t")
            let row = try await session.query(statement)[0]
            func failure(_ body: () throws -> Void) -> PostgresDecodingFailure? {
                guard case .decoding(let failure) = #expect(throws: PostgresError.self, performing: body)?.code else {
                    return nil
                }
                return failure
            }
            let word = failure { _ = try row.decode(Int64.self, at: 0) }
            #expect(word?.column == "word" && word?.expected == "Int64" && word?.found == "text")
            #expect(failure { _ = try row.decode(Int64.self, at: 1) }?.found == "NULL")
            #expect(failure { _ = try row.decode([Int32].self, at: 2) }?.found == "int4[] of 2 dimensions")
            #expect(failure { _ = try row.decode(PostgresTimestamp.self, at: 3) }?.found == "an infinite timestamptz")
            #expect(failure { _ = try row.decode(Int64.self, at: 4) }?.found == "no such column")
            #expect(failure { _ = try row.decode(Int64.self, named: "gone") }?.column == "gone")
        }
    }

    @Test func smallerIntegersWiden() async throws {
        try await withPostgresSession(TestDatabase.admin) { session in
            let row = try await session.query(PostgresStatement(name: "s", sql: "SELECT 1::int2, 2::int4, 3::oid"))[0]
            #expect(try row.decode(Int32.self, at: 0) == 1)
            #expect(try row.decode(Int64.self, at: 0) == 1)
            #expect(try row.decode(Int64.self, at: 1) == 2)
            #expect(try row.decode(Int64.self, at: 2) == 3)
            #expect(throws: PostgresError.self) { try row.decode(Int16.self, at: 1) }
        }
    }

    @Test func wrongParametersAreNotSent() async throws {
        try await withPostgresSession(TestDatabase.admin) { session in
            let statement = PostgresStatement(name: "s", sql: "SELECT $1", parameterTypes: [.int8])
            for parameters in [
                PostgresParameters(), PostgresParameters("1"), PostgresParameters(1 as Int64, 2 as Int64),
            ] {
                let error = await #expect(throws: PostgresError.self) { try await session.query(statement, parameters) }
                #expect(error?.code == .invalidParameters)
            }
        }
    }
}
