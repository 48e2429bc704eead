public import Postgres
import Synchronization

/// A fresh database on the shared test cluster.
public struct TestDatabase: Sendable {
    /// The database's name.
    public let name: String
    /// For `PostgresSession.connect`.
    public let connectionString: String

    /// The database every cluster has, for tests that store nothing.
    public static var admin: TestDatabase {
        get throws { TestDatabase(name: "postgres", cluster: try TestCluster.shared) }
    }

    private static let lastNumber = Mutex(0)

    /// Makes a database as a copy of another, which nobody may be connected to.
    public static func create(template: String = "template1") async throws -> TestDatabase {
        let number = lastNumber.withLock { number in
            number += 1
            return number
        }
        let database = TestDatabase(name: "test_\(number)", cluster: try TestCluster.shared)
        try await administrate("CREATE DATABASE \(database.name) TEMPLATE \(template)")
        return database
    }

    init(name: String, cluster: LocalCluster) {
        self.name = name
        connectionString = cluster.connectionString(database: name)
    }

    /// Removes it, ending the sessions it has.
    public func drop() async throws {
        try await Self.administrate("DROP DATABASE IF EXISTS \(name) WITH (FORCE)")
    }

    static func administrate(_ statement: String) async throws {
        var options = PostgresSessionOptions()
        options.statementTimeout = .zero
        _ = try await withPostgresSession(admin, options: options) { try await $0.execute(statement) }
    }
}

/// Runs a test against a database of its own, and removes it.
public func withTestDatabase<T: Sendable>(
    template: String = "template1", _ body: (TestDatabase) async throws -> T
) async throws -> T {
    await TestGate.databases.enter()
    do {
        let database = try await TestDatabase.create(template: template)
        do {
            let value = try await body(database)
            try await database.drop()
            await TestGate.databases.leave()
            return value
        } catch {
            try? await database.drop()
            throw error
        }
    } catch {
        await TestGate.databases.leave()
        throw error
    }
}

/// Runs a test with a session on a database of its own.
public func withPostgresSession<T: Sendable>(
    options: PostgresSessionOptions = PostgresSessionOptions(), _ body: (PostgresSession) async throws -> T
) async throws -> T {
    try await withTestDatabase { try await withPostgresSession($0, options: options, body) }
}

/// Runs a test with a session on a given database.
public func withPostgresSession<T: Sendable>(
    _ database: @autoclosure () throws -> TestDatabase, options: PostgresSessionOptions = PostgresSessionOptions(),
    _ body: (PostgresSession) async throws -> T
) async throws -> T {
    let session = try await PostgresSession.connect(
        to: try database().connectionString, options: options, on: testReactor)
    do {
        let value = try await body(session)
        await session.close()
        return value
    } catch {
        await session.close()
        throw error
    }
}

/// Databases that are prepared once in a process and copied for each test, for example one with all migrations.
public actor TestTemplate {
    private let name: String
    private let prepare: @Sendable (PostgresSession) async throws -> Void
    private var preparation: Task<Void, any Error>?

    /// Describes a template; the name must be unique in the test process.
    public init(name: String, prepare: @escaping @Sendable (PostgresSession) async throws -> Void) {
        self.name = "template_\(name)"
        self.prepare = prepare
    }

    /// The name for `withTestDatabase(template:)`, after the preparation has run once.
    public func ready() async throws -> String {
        let task =
            preparation
            ?? Task { [name, prepare] in
                try await TestDatabase.administrate("CREATE DATABASE \(name)")
                let database = TestDatabase(name: name, cluster: try TestCluster.shared)
                try await withPostgresSession(database) { try await prepare($0) }
            }
        preparation = task
        try await task.value
        return name
    }
}
