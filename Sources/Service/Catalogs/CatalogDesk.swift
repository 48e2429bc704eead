public import Entitlements
public import EventLog
public import Sync

/// Keeps what is in force up to date, and changes it.
public struct CatalogDesk: Sendable {
    private let terms: LiveTerms
    private let store: EventStore
    private let clock: any Clock
    private let onChange: @Sendable (LiveTerms.Change) -> Void

    /// A desk; `onChange` is told when another catalog or generation came into force.
    public init(
        terms: LiveTerms, store: EventStore, clock: any Clock,
        onChange: @escaping @Sendable (LiveTerms.Change) -> Void = { _ in }
    ) {
        self.terms = terms
        self.store = store
        self.clock = clock
        self.onChange = onChange
    }

    /// Reads a stored catalog.
    public static let read: LiveTerms.ReadCatalog = { document in
        try Catalog(JSONDocument(parsing: document, file: "catalog"))
    }

    /// Reads what is in force now, and tells of what changed.
    @discardableResult
    public func refresh() async throws -> LiveTerms.Change {
        let change = try await terms.refresh(from: store)
        if !change.activations.isEmpty { onChange(change) }
        return change
    }

    /// Puts a catalog into force; the app is added if it is new. Answers the revision, nil if nothing differs.
    ///
    /// Throws `ServiceError` if somebody else changed the catalog at the same time.
    public func apply(
        _ catalog: Catalog, environments: [Environment]? = nil, actor: String, reason: String
    ) async throws -> Int32? {
        let apps = try await store.apps()
        let known = apps.first { $0.bundleId == catalog.bundleId }
        let environments = environments ?? known?.environments ?? [.production, .sandbox]
        let number = try await store.addApp(
            bundleId: catalog.bundleId, appAppleId: catalog.appAppleId ?? known?.appAppleId,
            environments: environments, at: clock.now())
        let last = try await store.catalogRevisions(app: number).last
        if let last, try Self.read(last.document) == catalog {
            try await refresh()
            return nil
        }
        let revision = try await store.appendCatalogRevision(
            app: number, previous: last?.revision ?? 0, actor: actor, reason: reason,
            document: JSONValue.object(catalog.json).text, at: clock.now())
        guard let revision else {
            throw ServiceError(
                .catalog, "the catalog was changed by somebody else meanwhile: look at it and apply again")
        }
        try await refresh()
        // It is in force already: a lost hint costs the others two seconds.
        try? await store.notifyTerms()
        return revision
    }
}
