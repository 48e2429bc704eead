import FoundationEssentials
import Postgres

extension EventStore {
    /// Appends a batch in one statement, committed when it returns. One result a group, in the batch's order.
    ///
    /// With `wait` false, groups whose lane somebody else holds answer `busy` instead of stopping the batch.
    /// An error that the server answered means that nothing was written. After a broken connection
    /// (`PostgresError.isOutcomeUnknown`) send the same batch again: what was written answers `known`.
    public func append(_ batch: AppendBatch, wait: Bool = true) async throws -> [AppendResult] {
        if batch.groups.isEmpty { return [] }
        let columns = try AppendColumns(batch)
        let answer = try await connection.query(Self.appendBatch, columns.parameters(wait: wait))
        guard let row = answer.first else {
            throw EventLogError(.notMigrated, "append_batch answered nothing: run entitled migrate")
        }
        return try Self.results(of: row, batch: batch, order: columns.order)
    }

    private static func results(
        of row: PostgresRow, batch: AppendBatch, order: [Int]
    ) throws -> [AppendResult] {
        let codes = try row.decode([Int16].self, at: 0).map(code)
        let numbers = try row.decode([Int64].self, at: 1)
        let positions = try row.decode([Int64].self, at: 2)
        let groupCodes = try row.decode([Int16].self, at: 3).map(code)
        let versions = try row.decode([Int64].self, at: 4)
        let expected = batch.groups.reduce(0) { $0 + $1.events.count }
        guard [codes.count, numbers.count, positions.count].allSatisfy({ $0 == expected }),
            groupCodes.count == order.count, versions.count == order.count
        else { throw EventLogError(.corruptLog, "append_batch answered for another number of items") }

        var results = [AppendResult?](repeating: nil, count: order.count)
        var next = 0
        for (place, index) in order.enumerated() {
            let events = (next..<next + batch.groups[index].events.count).map {
                AppendResult.EventResult(code: codes[$0], seq: numbers[$0], lanePosition: positions[$0])
            }
            next += events.count
            results[index] = AppendResult(code: groupCodes[place], version: versions[place], events: events)
        }
        return results.compactMap { $0 }
    }

    private static func code(_ number: Int16) throws(EventLogError) -> AppendCode {
        guard let code = AppendCode(rawValue: number) else {
            throw EventLogError(
                .notMigrated, "append_batch answered code \(number): the database is of another release")
        }
        return code
    }

    private static let appendBatch: PostgresStatement = {
        let types: [PostgresType] = [
            // Groups.
            .int4Array, .int2Array, .uuidArray, .int8Array, .int4Array, .int2Array, .int2Array, .uuidArray,
            .timestamptzArray,
            // Events.
            .int4Array, .uuidArray, .int2Array, .int2Array, .timestamptzArray, .timestamptzArray, .int4Array,
            .int4Array, .textArray, .textArray, .byteaArray, .byteaArray, .byteaArray,
            // Resigned copies.
            .int4Array, .int2Array, .textArray, .uuidArray, .int8Array,
            // Directory rows.
            .int4Array, .textArray, .int4Array, .byteaArray, .byteaArray, .boolArray,
            // States.
            .int4Array, .byteaArray, .byteaArray, .timestamptzArray,
            .bool,
        ]
        let places = types.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        return PostgresStatement(
            name: "append_batch",
            sql: "SELECT o_code, o_seq, o_pos, o_group_code, o_version FROM ev.append_batch(\(places))",
            parameterTypes: types)
    }()
}
