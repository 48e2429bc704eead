import Entitlements
import EventLog
import EventLoop
import Sync

/// `GET` and `PUT …/catalog`, and what it was before.
struct CatalogRoutes {
    let backend: Backend

    /// Some ten thousand products.
    private static let maximumBody = 4 << 20
    /// Revisions listed at once.
    private static let pages: ClosedRange<Int64> = 1...1000

    var routes: [Route] {
        [
            Route(
                "GET", "/v1/apps/{bundleId}/catalog", .scopes([.backend, .support, .admin]),
                .immediate { call throws(Problem) in try show(call) }),
            Route(
                "GET", "/v1/apps/{bundleId}/catalog/revisions", .operators,
                .immediate { call throws(Problem) in try revisions(call) }),
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

    private func revisions(_ call: Call) throws(Problem) -> Answer {
        let app = try backend.app(call)
        let limit = Int(try call.integer("limit", in: Self.pages) ?? 100)
        let before = try call.integer("before", in: 1...Int64(Int32.max)) ?? Int64(Int32.max)
        let all = backend.engine.terms.revisions(of: app.number)
        let earlier = all.prefix { $0.stored.revision < before }
        let page = earlier.suffix(limit).reversed().map { revision -> JSONValue in
            let former = all.last { $0.stored.revision < revision.stored.revision }
            let changes = former.map { CatalogDiff(from: $0.catalog, to: revision.catalog).json } ?? .null
            return [
                "revision": .integer(Int64(revision.stored.revision)),
                "recordedAt": .integer(revision.stored.recordedAt), "actor": .string(revision.stored.actor),
                "reason": .string(revision.stored.reason), "changes": changes,
            ]
        }
        let next = earlier.count > limit ? earlier[earlier.count - limit].stored.revision : nil
        return .json(["revisions": .array(page), "next": JSONValue(next.map(Int64.init))])
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
        let before = backend.engine.terms.app(bundleId: bundleID)
        let changes = before.map { CatalogDiff(from: $0.terms.catalogs.current, to: catalog).json } ?? []
        if try call.flag("dryRun") {
            return .json([
                "outcome": changes == [] && before != nil ? "duplicate" : "wouldBeRecorded",
                "revision": .integer(Int64(before?.catalogRevision ?? 0)), "changes": changes,
            ])
        }
        // Of an app that this is to add nothing can be recorded before.
        guard let before else { return try await apply(catalog, call, changes, reason: try call.reason()) }
        return try await backend.recorded("catalog", call, before, subject: String(before.catalogRevision + 1)) {
            try await apply(catalog, call, changes, reason: try call.reason())
        }
    }

    private func apply(
        _ catalog: Catalog, _ call: Call, _ changes: JSONValue, reason: String
    ) async throws -> Answer {
        let revision = try await backend.catalogs.apply(catalog, actor: call.token?.subject ?? "", reason: reason)
        backend.metrics.count(.commands, revision == nil ? "catalog:duplicate" : "catalog:recorded")
        let app = try backend.app(call)
        return .json([
            "outcome": revision == nil ? "duplicate" : "recorded", "revision": .integer(Int64(app.catalogRevision)),
            "changes": changes,
        ])
    }
}
