import Foundation
import Postgres

/// Which database a command is about: that of `entitled dev` in a directory, or the one of the environment.
struct DatabaseLocation {
    static let help = """
          --state DIR          the database of `entitled dev` in this directory; otherwise that of ENTITLED_DATABASE_URL
        """

    let state: DevelopmentState?

    init(_ arguments: inout Arguments) throws {
        state = try arguments.option("--state").map(DevelopmentState.init)
    }

    /// Runs a body with the connection string. A private server that does not run is started for that long.
    func withDatabase<T>(_ body: (String) async throws -> T) async throws -> T {
        guard let state else {
            guard let url = ProcessInfo.processInfo.environment["ENTITLED_DATABASE_URL"], !url.isEmpty else {
                throw Arguments.UsageError("which database? Give --state DIR, or set ENTITLED_DATABASE_URL")
            }
            return try await body(url)
        }
        guard state.exists else {
            throw CommandFailure("there is nothing of `entitled dev` in \(state.directory): start it first")
        }
        let cluster = state.cluster
        guard cluster.processID == nil else { return try await body(state.connectionString) }
        try cluster.start()
        do {
            let value = try await body(state.connectionString)
            try cluster.stop()
            return value
        } catch {
            try? cluster.stop()
            throw error
        }
    }
}
