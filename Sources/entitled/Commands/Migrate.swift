import Entitlements
import EventLog
import Service

/// `entitled migrate`: brings a database to this release.
struct Migrate: Command {
    static let name = "migrate"
    static let summary = "bring the database to this release"
    static let help = """
        Usage: entitled migrate [options]

        Applies what the database lacks, in order, each migration once and in a transaction of its own. Several may start at
        once: one applies, the others wait.

          --status             only show what is applied and what is not; exit 1 if something is pending
          --dry-run            only show what would be applied
        \(DatabaseLocation.help)
          --json               one JSON object a migration

        Example: ENTITLED_DATABASE_URL=postgresql://entitled@db/entitled entitled migrate
        """

    private let location: DatabaseLocation
    private let wantsStatus: Bool
    private let isDryRun: Bool
    private let wantsJSON: Bool

    init(_ arguments: inout Arguments) throws {
        location = try DatabaseLocation(&arguments)
        wantsStatus = arguments.flag("--status")
        isDryRun = arguments.flag("--dry-run")
        wantsJSON = arguments.flag("--json")
        try arguments.finish()
    }

    func run() async throws -> ExitStatus {
        let (wantsStatus, isDryRun) = (wantsStatus, isDryRun)
        let migrations = try await CommandLog.with(location) { log in
            let migrator = Migrator(log.session)
            return wantsStatus ? try await migrator.status() : try await migrator.migrate(dryRun: isDryRun)
        }
        for migration in migrations { show(migration) }
        if migrations.isEmpty, !wantsJSON { print("nothing to do: the database is that of this release") }
        let isCurrent = migrations.allSatisfy { $0.state == .applied || $0.state == .newer }
        return wantsStatus && !isCurrent ? .failed : .done
    }

    private func show(_ migration: MigrationStatus) {
        // What `migrate` hands back was pending when it began.
        let word = wantsStatus ? "\(migration.state)" : isDryRun ? "pending" : "applied"
        if wantsJSON {
            let line: JSONValue = [
                "number": .integer(Int64(migration.number)), "name": .string(migration.name), "state": .string(word),
            ]
            print(line.text)
        } else {
            let digits = String(migration.number)
            print("\(String(repeating: "0", count: max(0, 4 - digits.count)) + digits)  \(word)  \(migration.name)")
        }
    }
}
