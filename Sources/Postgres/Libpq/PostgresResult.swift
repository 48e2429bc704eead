import CLibpq

/// The answer to one statement: rows and a command tag. The bytes stay where libpq put them; decoding a value copies it
/// once.
public final class PostgresResult: Sendable, RandomAccessCollection {
    // Safe: a PGresult is only read after it was made, which libpq allows from any thread, and freed once, here.
    private nonisolated(unsafe) let owned: OpaquePointer

    /// How many rows there are.
    public let rowCount: Int
    /// How many columns a row has.
    public let columnCount: Int

    /// Takes over a result of `PQgetResult`.
    init(owning result: OpaquePointer) {
        owned = result
        rowCount = Int(PQntuples(result))
        columnCount = Int(PQnfields(result))
    }

    deinit {
        PQclear(owned)
    }

    /// The first row's index.
    public var startIndex: Int { 0 }
    /// The number of rows.
    public var endIndex: Int { rowCount }

    /// A row. Its index must be one of the result's.
    public subscript(row: Int) -> PostgresRow {
        precondition(row >= 0 && row < rowCount, "row out of range")
        return PostgresRow(result: self, index: row)
    }

    /// For example `INSERT 0 1`.
    public var commandTag: String { String(cString: PQcmdStatus(owned)) }

    /// Rows inserted, updated, deleted, selected or copied; 0 for other commands.
    public var affectedRows: Int { Int(String(cString: PQcmdTuples(owned))) ?? 0 }

    /// The names of the columns.
    public var columnNames: [String] { (0..<columnCount).map(columnName) }

    func columnName(_ column: Int) -> String {
        PQfname(owned, Int32(column)).map { String(cString: $0) } ?? ""
    }

    func columnIndex(named name: String) -> Int? {
        (0..<columnCount).first { columnName($0) == name }
    }

    /// Lends a cell; its bytes live as long as the result.
    func cell(row: Int, column: Int) -> PostgresCell {
        let (row, column) = (Int32(row), Int32(column))
        var bytes: UnsafeRawBufferPointer?
        if PQgetisnull(owned, row, column) == 0 {
            bytes = UnsafeRawBufferPointer(
                start: PQgetvalue(owned, row, column), count: Int(PQgetlength(owned, row, column)))
        }
        return PostgresCell(
            bytes: bytes, type: PostgresType(rawValue: PQftype(owned, column)),
            isBinary: PQfformat(owned, column) == 1)
    }

    /// What kind of result it is, for the state machine.
    var kind: ServerResult {
        switch PQresultStatus(owned) {
        case PGRES_TUPLES_OK, PGRES_SINGLE_TUPLE, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: .success
        case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE: .failure(ServerFailure(result: owned))
        case PGRES_PIPELINE_ABORTED: .aborted
        case PGRES_PIPELINE_SYNC: .sync
        case PGRES_COPY_IN: .copyIn
        case PGRES_COPY_OUT: .copyOut
        default: .unexpected
        }
    }
}

/// One row of a result.
public struct PostgresRow: Sendable {
    let result: PostgresResult
    let index: Int

    /// The value of a column by its number from 0. Throws `decoding` if the type does not match.
    public func decode<V: PostgresValue>(_ type: V.Type = V.self, at column: Int) throws(PostgresError) -> V {
        guard column >= 0, column < result.columnCount else {
            throw Self.failure(column: "number \(column)", expected: V.self, found: "no such column")
        }
        do {
            // The cell's bytes belong to the result, which may otherwise be freed before they are read.
            return try withExtendedLifetime(result) { () throws(PostgresCell.Mismatch) -> V in
                try V.decode(result.cell(row: index, column: column))
            }
        } catch {
            throw Self.failure(column: result.columnName(column), expected: V.self, found: error.found)
        }
    }

    /// The value of a column by its name. Slower than by number.
    public func decode<V: PostgresValue>(_ type: V.Type = V.self, named name: String) throws(PostgresError) -> V {
        guard let column = result.columnIndex(named: name) else {
            throw Self.failure(column: name, expected: V.self, found: "no such column")
        }
        return try decode(V.self, at: column)
    }

    /// Lends the raw bytes of a column, without a copy; nil for NULL and for a column that does not exist.
    public func withBytes<R>(at column: Int, _ body: (UnsafeRawBufferPointer?) throws -> R) rethrows -> R {
        guard column >= 0, column < result.columnCount else { return try body(nil) }
        return try withExtendedLifetime(result) {
            try body(result.cell(row: index, column: column).bytes)
        }
    }

    private static func failure(column: String, expected: Any.Type, found: String) -> PostgresError {
        PostgresError(
            .decoding(PostgresDecodingFailure(column: column, expected: "\(expected)", found: found)),
            "column \(column): expected \(expected), found \(found)")
    }
}
