public import Postgres

/// Runs a test with a pool, and closes it.
public func withPostgresPool<T: Sendable>(
    _ database: @autoclosure () throws -> TestDatabase, options: PostgresPoolOptions = PostgresPoolOptions(),
    _ body: (PostgresPool) async throws -> T
) async throws -> T {
    let pool = PostgresPool(
        connectionString: try database().connectionString, options: options, reactors: [testReactor])
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await pool.run() }
        defer { pool.close() }
        return try await body(pool)
    }
}
