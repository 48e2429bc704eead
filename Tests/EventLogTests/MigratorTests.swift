import FoundationEssentials
import Postgres
import TestSupport
import Testing

@testable import EventLog

struct MigratorTests {
    @Test func appliesOnceAndSaysWhatItWouldDo() async throws {
        try await withPostgresSession { session in
            let migrator = Migrator(session)
            let numbers = Migration.embedded.map(\.number)
            let planned = try await migrator.migrate(dryRun: true)
            #expect(planned.map(\.number) == numbers)
            #expect(try await session.texts("SELECT to_regnamespace('ev') IS NULL") == [["t"]])

            #expect(try await migrator.migrate().map(\.number) == numbers)
            #expect(try await migrator.migrate().isEmpty)
            #expect(try await migrator.migrate(dryRun: true).isEmpty)
            #expect(try await migrator.status().allSatisfy { $0.state == .applied })
        }
    }

    @Test func instancesThatStartTogetherApplyEachMigrationOnce() async throws {
        try await withTestDatabase { database in
            let applied = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        try await withPostgresSession(database) { try await Migrator($0).migrate().count }
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(applied == Migration.embedded.count)
        }
    }

    @Test func aChangedMigrationStopsAndANewerOneDoesNot() async throws {
        try await withPostgresSession { session in
            let first = Migration(number: 1, name: "first", sql: "CREATE TABLE ev.first (a int)")
            let second = Migration(number: 2, name: "second", sql: "CREATE TABLE ev.second (a int)")
            try await Migrator(session, migrations: [first, second]).migrate()
            let older = try await Migrator(session, migrations: [first]).status()
            #expect(older.map(\.state) == [.applied, .newer])

            let changed = Migration(number: 1, name: "first", sql: "CREATE TABLE ev.first (b int)")
            let third = Migration(number: 3, name: "third", sql: "CREATE TABLE ev.third (a int)")
            let error = await #expect(throws: EventLogError.self) {
                try await Migrator(session, migrations: [changed, second, third]).migrate()
            }
            #expect(error?.code == .migrationChanged)
            #expect(try await session.texts("SELECT to_regclass('ev.third') IS NULL") == [["t"]])
        }
    }

    @Test func aFailingMigrationLeavesNothing() async throws {
        try await withPostgresSession { session in
            let broken = Migration(number: 1, name: "broken", sql: "CREATE TABLE ev.half (a int); SELECT 1/0")
            await #expect(throws: PostgresError.self) {
                try await Migrator(session, migrations: [broken]).migrate()
            }
            let isAbsent = try await session.texts("SELECT to_regclass('ev.half') IS NULL")
            #expect(isAbsent == [["t"]])
        }
    }

    /// The binary carries a copy of `Migrations/`; `scripts/embed-migrations` makes it.
    @Test func theEmbeddedCopiesAreTheFiles() throws {
        let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
        let files = FileManager.default
        let names = try files.contentsOfDirectory(atPath: root + "/Migrations").sorted()
        let texts = try names.map { name in
            String(decoding: try #require(files.contents(atPath: "\(root)/Migrations/\(name)")), as: UTF8.self)
        }
        let digits = Migration.embedded.map { migration in
            let number = String(migration.number)
            return String(repeating: "0", count: 4 - number.count) + "\(number)_\(migration.name).sql"
        }
        #expect(digits == names)
        #expect(Migration.embedded.map { $0.sql + "\n" } == texts)
    }
}
