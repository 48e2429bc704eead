import Entitlements
import EventLog
import EventLoop
import Foundation
import Postgres
import Service
import Sync

/// Brings the private database to where the service can start: database, migrations, sample app.
struct DevelopmentSetup {
    let state: DevelopmentState

    func run() async throws {
        let loop = try EventLoop()
        do {
            try await prepare(on: loop)
            await loop.shutdown()
        } catch {
            await loop.shutdown()
            throw error
        }
    }

    private func prepare(on loop: EventLoop) async throws {
        let postgres = try await PostgresSession.connect(to: state.cluster.connectionString(), on: loop)
        let exists = PostgresStatement(
            name: "database_exists", sql: "SELECT 1 FROM pg_database WHERE datname = 'entitled'")
        if try await postgres.query(exists).isEmpty { _ = try await postgres.execute("CREATE DATABASE entitled") }
        await postgres.close()

        let session = try await PostgresSession.connect(to: state.connectionString, on: loop)
        _ = try await Migrator(session).migrate()
        try await addSampleApp(to: EventStore(session))
        await session.close()
    }

    /// At the first start only: what was changed since then stays.
    private func addSampleApp(to store: EventStore) async throws {
        guard try await store.apps().isEmpty else { return }
        let catalog = try readCatalog()
        let terms = LiveTerms(log: try await store.identity(), isDevelopment: true, readCatalog: CatalogDesk.read)
        _ = try await CatalogDesk(terms: terms, store: store, clock: SystemClock()).apply(
            catalog, environments: Environment.known, actor: "entitled dev", reason: "first start")
    }

    /// The catalog file, written if it is not there.
    private func readCatalog() throws -> Catalog {
        let path = state.path("catalog.json")
        if !FileManager.default.fileExists(atPath: path) {
            try Sample.catalog.write(toFile: path, atomically: true, encoding: .utf8)
        }
        return try CatalogFile.read(path)
    }
}
