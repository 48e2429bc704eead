public import AppStore
public import Entitlements
public import EventLog

/// An app as this instance serves it now.
public struct ServedApp: Sendable {
    /// Its number in the log.
    public var number: Int16
    /// What signed data is compared with.
    public var identity: AppIdentity
    /// Its catalogs and environments.
    public var terms: AppTerms
    /// The newest catalog's revision.
    public var catalogRevision: Int32

    /// Makes what the log and a release's settings say of an app into one. Xcode's environments only in development mode
    /// (rules.md R5). Nil when it has no catalog yet.
    public init?(_ app: StoredApp, catalogs: [(StoredCatalog, Catalog)], isDevelopment: Bool) {
        guard let last = catalogs.last,
            let history = CatalogHistory(
                revisions: catalogs.map { CatalogHistory.Revision(recordedAt: $0.recordedAt, catalog: $1) })
        else { return nil }
        let environments = Set(app.environments.filter { isDevelopment || !$0.isDevelopmentOnly })
        number = app.app
        identity = AppIdentity(
            bundleId: app.bundleId, appAppleId: app.appAppleId, environments: environments)
        terms = AppTerms(bundleId: app.bundleId, environments: environments, catalogs: history)
        catalogRevision = last.0.revision
    }

    /// The activation of a view: grows with the generation in force and with the catalog.
    public func activation(of identity: LogIdentity) -> Int64 {
        Int64(identity.activation) << 32 | Int64(catalogRevision)
    }
}
