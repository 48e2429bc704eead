import FoundationEssentials
import Glibc

/// Where initdb, pg_ctl and postgres are.
struct ServerPrograms {
    let directory: String

    /// Looks where `pg_config` says, where Linux distributions put them, and on the path. A cluster that exists already
    /// needs the programs of its own major version.
    static func find(majorVersion: String? = nil) throws(PostgresError) -> ServerPrograms {
        var found = candidates().filter { directory in
            ["initdb", "pg_ctl", "postgres"].allSatisfy { access("\(directory)/\($0)", X_OK) == 0 }
        }
        if let majorVersion {
            found = found.filter { version(of: $0) == majorVersion }
        }
        guard let directory = found.first else {
            let which = majorVersion.map { "PostgreSQL \($0)" } ?? "PostgreSQL"
            throw PostgresError(
                .localCluster,
                "the server programs of \(which) (initdb, pg_ctl, postgres) were not found: install the server, on Debian "
                    + "and Ubuntu with: apt-get install postgresql")
        }
        return ServerPrograms(directory: directory)
    }

    private static func candidates() -> [String] {
        var directories: [String] = []
        for configuration in ["/usr/bin/pg_config", "/usr/local/bin/pg_config"] where access(configuration, X_OK) == 0 {
            if let run = try? LocalProcess.run([configuration, "--bindir"]), run.status == 0 {
                directories += run.output.split(separator: "\n").prefix(1).map(String.init)
            }
        }
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        directories += versions.compactMap { Int($0) }.sorted(by: >).map { "\(root)/\($0)/bin" }
        directories += ["/usr/local/pgsql/bin", "/usr/local/bin", "/usr/bin"]
        return directories
    }

    /// From `postgres (PostgreSQL) 15.20 (Debian …)`.
    private static func version(of directory: String) -> String? {
        guard let run = try? LocalProcess.run(["\(directory)/postgres", "--version"]), run.status == 0 else {
            return nil
        }
        return run.output.split(separator: " ").first { $0.first?.isNumber ?? false }
            .flatMap { $0.split(separator: ".").first }
            .map(String.init)
    }
}
