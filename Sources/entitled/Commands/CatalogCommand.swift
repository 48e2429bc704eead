import Entitlements
import EventLog
import Foundation
import Service
import Sync

/// `entitled catalog`: what an app sells and what it unlocks.
struct CatalogCommand: Command {
    static let name = "catalog"
    static let summary = "show, compare and change the product catalog of an app"
    static let help = """
        Usage: entitled catalog show [--app B]
               entitled catalog diff FILE
               entitled catalog apply FILE [--reason TEXT]

        A catalog is a JSON file: {"bundleId":…,"appAppleId":…,"products":{…},"policies":{…}}. `apply` adds the app if it is
        new, and tells held clients whose answer changes. `diff` exits 1 if the file differs from what is in force.

          --app B              the app to show, when several are served
          --reason TEXT        why, for the record
          --dry-run            apply: only check the file and show what would change
        \(DatabaseLocation.help)
          --json               for machines

        Example: entitled catalog apply catalog.json --reason "new yearly plan"
        """

    private enum Act {
        case show
        case diff(Catalog)
        case apply(Catalog)
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
        let words = try arguments.rest()
        switch (words.first, words.count) {
        case ("show", 1): act = .show
        case ("diff", 2): act = .diff(try CatalogFile.read(words[1]))
        case ("apply", 2): act = .apply(try CatalogFile.read(words[1]))
        default: throw Arguments.UsageError("say show, diff FILE or apply FILE")
        }
    }

    func run() async throws -> ExitStatus {
        switch act {
        case .show: return try await show()
        case .diff(let catalog):
            let isSame = try await compare(catalog)
            return isSame ? .done : .failed
        case .apply(let catalog):
            _ = try await compare(catalog)
            return isDryRun ? .done : try await apply(catalog)
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

    /// Shows what differs. True if nothing does.
    private func compare(_ catalog: Catalog) async throws -> Bool {
        let current = try await CommandLog.with(location) { log in
            try await log.engine(isDevelopment: true).terms.app(bundleId: catalog.bundleId)?.terms.catalogs.current
        }
        let diff = CatalogDiff(
            from: current ?? Catalog(bundleId: catalog.bundleId, appAppleId: nil, products: [:]), to: catalog)
        if wantsJSON {
            print(diff.json.text)
        } else {
            for line in diff.lines { print(line) }
        }
        return diff.isEmpty && current != nil
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
}
