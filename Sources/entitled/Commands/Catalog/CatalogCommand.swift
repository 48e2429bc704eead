import Entitlements
import EventLog
import Foundation
import Service
import Sync

/// `entitled catalog`: what an app sells and what it unlocks.
struct CatalogCommand: Command {
    static let name = "catalog"
    static let summary = "show, compare, import and change the product catalog of an app"
    static let help = """
        Usage: entitled catalog show [--app B] [--changes]
               entitled catalog diff FILE
               entitled catalog apply FILE [--reason TEXT]
               entitled catalog import FILE.storekit [--app B] [--output FILE | --apply [--reason TEXT]]

        A catalog is a JSON file: {"bundleId":…,"appAppleId":…,"products":{…},"policies":{…}}. `apply` adds the app if it is
        new; a running service takes the catalog up at once, two seconds later at most, and tells held clients whose answer
        changes. `diff` exits 1 if the file differs from what is in force.
        `import` makes a catalog of Xcode's StoreKit configuration (formats 3 to 5) and says what it had to assume; it prints
        the catalog, or writes it, and changes nothing without --apply. The policies in force stay.

          --app B              the app, when several are served; import: needed unless it is applied to the only one
          --changes            show: every change instead, with who made it, when and why
          --output FILE        import: where to write the catalog, to be mended and applied
          --apply              import: put it into force
          --reason TEXT        why, for the record
          --dry-run            apply: only check the file and show what would change
        \(DatabaseLocation.help)
          --json               for machines

        Example: entitled catalog import Store.storekit --app com.example.reader --output catalog.json
                 entitled catalog apply catalog.json --reason "new yearly plan"
        """

    private enum Act {
        case show(changes: Bool)
        case diff(Catalog)
        case apply(Catalog)
        case importing(CatalogImport)
    }

    private let act: Act
    private let app: String?
    private let reason: String
    private let isDryRun: Bool
    private let location: DatabaseLocation
    private let wantsJSON: Bool

    init(_ arguments: inout Arguments) throws {
        location = try DatabaseLocation(&arguments)
        app = try arguments.option("--app")
        reason = try arguments.option("--reason") ?? ""
        isDryRun = arguments.flag("--dry-run")
        wantsJSON = arguments.flag("--json")
        let showsChanges = arguments.flag("--changes")
        let output = try arguments.option("--output")
        let applies = arguments.flag("--apply")
        let words = try arguments.rest()
        switch (words.first, words.count) {
        case ("show", 1): act = .show(changes: showsChanges)
        case ("diff", 2): act = .diff(try CatalogFile.read(words[1]))
        case ("apply", 2): act = .apply(try CatalogFile.read(words[1]))
        case ("import", 2):
            guard output == nil || !applies else { throw Arguments.UsageError("give --output or --apply, not both") }
            guard applies || app != nil else { throw Arguments.UsageError("give --app: the file does not name it") }
            act = .importing(
                CatalogImport(configuration: try CatalogFile.readStoreKit(words[1]), output: output, applies: applies))
        default: throw Arguments.UsageError("say show, diff FILE, apply FILE or import FILE.storekit")
        }
    }

    func run() async throws -> ExitStatus {
        switch act {
        case .show(let changes): return try await changes ? showChanges() : show()
        case .diff(let catalog):
            let isSame = try await compare(catalog)
            return isSame ? .done : .failed
        case .apply(let catalog):
            _ = try await compare(catalog)
            return isDryRun ? .done : try await apply(catalog)
        case .importing(let work): return try await perform(work)
        }
    }

    private func show() async throws -> ExitStatus {
        let app = app
        let catalog = try await CommandLog.with(location) { log in
            let engine = try await log.engine(isDevelopment: true)
            return try log.app(app, of: engine).terms.catalogs.current
        }
        print(JSONValue.object(catalog.json).text)
        return .done
    }

    private func showChanges() async throws -> ExitStatus {
        let app = app
        let changes = try await CommandLog.with(location) { log in
            let engine = try await log.engine(isDevelopment: true)
            let served = try log.app(app, of: engine)
            return try CatalogChange.all(
                try await log.store.catalogRevisions(app: served.number), bundleId: served.terms.bundleId)
        }
        print(wantsJSON ? JSONValue.array(changes.map(\.json)).text : changes.map(\.text).joined(separator: "\n"))
        return .done
    }

    /// Shows what differs. True if nothing does.
    private func compare(_ catalog: Catalog) async throws -> Bool {
        let current = try await current(catalog.bundleId)
        let diff = CatalogDiff(
            from: current ?? Catalog(bundleId: catalog.bundleId, appAppleId: nil, products: [:]), to: catalog)
        if wantsJSON {
            print(diff.json.text)
        } else {
            for line in diff.lines { print(line) }
        }
        return diff.isEmpty && current != nil
    }

    private func current(_ bundleId: String) async throws -> Catalog? {
        try await CommandLog.with(location) { log in
            try await log.engine(isDevelopment: true).terms.app(bundleId: bundleId)?.terms.catalogs.current
        }
    }

    private func apply(_ catalog: Catalog) async throws -> ExitStatus {
        let reason = reason
        let revision = try await CommandLog.with(location) { log in
            let engine = try await log.engine(isDevelopment: true)
            let desk = CatalogDesk(terms: engine.terms, store: log.store, clock: SystemClock())
            return try await desk.apply(catalog, actor: NSUserName(), reason: reason)
        }
        if !wantsJSON {
            print(revision.map { "revision \($0) of \(catalog.bundleId) is in force" } ?? "nothing differs")
        }
        return .done
    }

    private func perform(_ work: CatalogImport) async throws -> ExitStatus {
        for assumption in work.configuration.assumptions { Console.note("assumed: \(assumption)") }
        if !work.configuration.assumptions.isEmpty { Console.note("Mend what is not so, then apply the catalog.") }
        guard work.applies else {
            // The command line has seen to it that the app is named.
            let catalog = work.configuration.catalog(bundleId: app ?? "")
            try CatalogFile.write(catalog, to: work.output)
            return .done
        }
        let catalog = try await work.catalog(replacing: inForce())
        _ = try await compare(catalog)
        return isDryRun ? .done : try await apply(catalog)
    }

    /// The catalog that an import replaces; an empty one for an app that is not served yet.
    private func inForce() async throws -> Catalog {
        let app = app
        return try await CommandLog.with(location) { log in
            let engine = try await log.engine(isDevelopment: true)
            if let app, engine.terms.app(bundleId: app) == nil { return Catalog(bundleId: app) }
            return try log.app(app, of: engine).terms.catalogs.current
        }
    }
}
