import Entitlements
import EventLoop
import Sync

/// `GET` and `PUT …/catalog`.
struct CatalogRoutes {
    let backend: Backend

    /// Some ten thousand products.
    private static let maximumBody = 4 << 20

    var routes: [Route] {
        [
            Route(
                "GET", "/v1/apps/{bundleId}/catalog", .scopes([.backend, .support, .admin]),
                .immediate { call throws(Problem) in try show(call) }),
            Route(
                "PUT", "/v1/apps/{bundleId}/catalog", .scopes([.admin]),
                body: .json(limit: Self.maximumBody, requiresMediaType: true),
                .asynchronous { call in .answer(try await put(call)) }),
        ]
    }

    private func show(_ call: Call) throws(Problem) -> Answer {
        let app = try backend.app(call)
        let catalog = app.terms.catalogs.current
        return .json(["revision": .integer(Int64(app.catalogRevision)), "catalog": .object(catalog.json)])
    }

    private func put(_ call: Call) async throws -> Answer {
        let bundleID = try call.bundleID()
        let catalog: Catalog
        do {
            catalog = try Catalog(JSONDocument(parsing: call.request.body, file: "body"))
        } catch {
            throw Problem(.invalidCatalog, "\(error).")
        }
        guard catalog.bundleId == bundleID else {
            throw Problem(.invalidCatalog, "The catalog's bundleId must be that of the path.")
        }
        let before = backend.engine.terms.app(bundleId: bundleID)?.terms.catalogs.current
        let revision = try await backend.catalogs.apply(
            catalog, actor: call.token?.subject ?? "", reason: try call.query("reason") ?? "")
        backend.metrics.count(.commands, revision == nil ? "catalog:duplicate" : "catalog:recorded")
        let app = try backend.app(call)
        let diff = before.map { CatalogDiff(from: $0, to: catalog).json } ?? []
        return .json([
            "outcome": revision == nil ? "duplicate" : "recorded", "revision": .integer(Int64(app.catalogRevision)),
            "changes": diff,
        ])
    }
}
