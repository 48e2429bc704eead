import Entitlements
import EventLog
import Service

/// One change of a catalog: who made it, when, why and what it was.
struct CatalogChange: Sendable {
    let revision: Int32
    let recordedAt: Milliseconds
    let actor: String
    let reason: String
    let diff: CatalogDiff

    /// The changes behind the revisions of an app, the first one against an empty catalog. Throws for a document that this
    /// release cannot read.
    static func all(_ revisions: [StoredCatalog], bundleId: String) throws -> [CatalogChange] {
        var before = Catalog(bundleId: bundleId)
        return try revisions.map { stored in
            let catalog = try CatalogDesk.read(stored.document)
            defer { before = catalog }
            return CatalogChange(
                revision: stored.revision, recordedAt: stored.recordedAt, actor: stored.actor, reason: stored.reason,
                diff: CatalogDiff(from: before, to: catalog))
        }
    }

    var text: String {
        let why = reason.isEmpty ? "" : ": \(reason)"
        let head = "revision \(revision), \(Time.people(recordedAt)), by \(actor)\(why)"
        return ([head] + diff.lines.map { "  " + $0 }).joined(separator: "\n")
    }

    var json: JSONValue {
        [
            "revision": .integer(Int64(revision)), "recordedAt": .integer(recordedAt), "actor": .string(actor),
            "reason": .string(reason), "changes": diff.json,
        ]
    }
}
