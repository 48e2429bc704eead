import AppStore
import AppStoreSimulator
import Entitlements
import EventLog
import Sync

/// `entitled unclaimed`: purchases that belong to nobody, and locked ones that an operator frees.
struct Unclaimed: Command {
    static let name = "unclaimed"
    static let summary = "list purchases that belong to nobody; free a locked one"
    static let help = """
        Usage: entitled unclaimed [--environment E] [--app B]
               entitled unclaimed --free ORIGINAL_TRANSACTION_ID [--reason TEXT] [--environment E] [--app B]

        Lists the original transaction ids of purchases that belong to nobody yet: no token that names a known account, and
        no device that pushed them. With --free, a purchase whose owner was erased may be claimed again.

          --app B              the app, when several are served
          --environment E      Production (default), Sandbox, Xcode or LocalTesting
          --reason TEXT        why it is freed, for the record (`entitled audit`)
          --json               for machines
        \(DatabaseLocation.help)

        Example: entitled unclaimed --environment Sandbox --state .entitled
        """

    private static let page: Int32 = 1000

    private let location: DatabaseLocation
    private let app: String?
    private let environment: Entitlements.Environment
    private let freed: String?
    private let reason: String?
    private let wantsJSON: Bool

    init(_ arguments: inout Arguments) throws {
        location = try DatabaseLocation(&arguments)
        app = try arguments.option("--app")
        environment =
            try arguments.choice("--environment", Environment.known.map { ($0.rawValue, $0) }) ?? .production
        freed = try arguments.option("--free")
        reason = try arguments.option("--reason")
        guard freed != nil || reason == nil else { throw Arguments.UsageError("--reason goes with --free") }
        wantsJSON = arguments.flag("--json")
        try arguments.finish()
    }

    func run() async throws -> ExitStatus {
        let text = try await CommandLog.with(location) { log in
            let engine = try await log.engine(isDevelopment: true)
            let app = try log.app(app, of: engine)
            if let freed { return try await free(freed, engine, app) }
            return try await list(engine, app)
        }
        print(text, terminator: "")
        return .done
    }

    private func list(_ engine: SyncEngine, _ app: ServedApp) async throws -> String {
        var ids: [String] = []
        while true {
            let more = try await engine.unclaimed(
                environment: environment, app: app, after: ids.last ?? "", limit: Self.page)
            ids += more
            if more.count < Int(Self.page) { break }
        }
        if wantsJSON { return JSONValue.array(ids.map(JSONValue.string)).text + "\n" }
        return ids.isEmpty ? "none in \(environment)\n" : ids.map { $0 + "\n" }.joined()
    }

    private func free(_ id: String, _ engine: SyncEngine, _ app: ServedApp) async throws -> String {
        let entry = AuditEntry.command("free", app: app, environment: environment, subject: id, reason: reason)
        try await engine.recorded(entry, refusal: AuditEntry.refusal) {
            let outcome = try await engine.run(.free(LineageRef(environment, id)), app: app).first
            if case .refused(let reason)? = outcome { throw CommandFailure("refused: \(reason.rawValue)") }
        }
        return wantsJSON ? JSONValue.object(["freed": .string(id)]).text + "\n" : "\(id) may be claimed again\n"
    }
}

extension DatabaseLocation {
    /// Apple's roots, and that of `entitled dev` where its directory is meant.
    func trustedRoots() throws -> [TrustedRoot] {
        guard let state else { return TrustedRoot.apple }
        return TrustedRoot.apple + [TrustedRoot(try state.authority().root, for: [Sample.environment])]
    }
}
