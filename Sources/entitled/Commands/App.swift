import Entitlements
import EventLog
import Service

/// `entitled app`: the apps that are served.
struct App: Command {
    static let name = "app"
    static let summary = "list, add and remove the apps served"
    static let help = """
        Usage: entitled app list|add|remove [options]

        An app answers once it has a catalog (`entitled catalog apply` adds the app, too).

          --bundle-id B        the app
          --app-apple-id N     its number in App Store Connect; needed for Production
          --environment E      an environment to take: Production, Sandbox; may repeat (default both)
        \(DatabaseLocation.help)
          --json               one JSON object an app

        Example: entitled app add --bundle-id com.example.reader --app-apple-id 1234567890
        """

    private enum Act {
        case list, add, remove
    }

    private let act: Act
    private let bundleId: String
    private let appAppleId: Int64?
    private let environments: [Entitlements.Environment]
    private let location: DatabaseLocation
    private let wantsJSON: Bool

    init(_ arguments: inout Arguments) throws {
        location = try DatabaseLocation(&arguments)
        let bundleId = try arguments.option("--bundle-id")
        appAppleId = try arguments.integer("--app-apple-id")
        let names = try arguments.options("--environment")
        environments = try (names.isEmpty ? ["Production", "Sandbox"] : names).map { name in
            guard let environment = Environment.known.first(where: { $0.rawValue == name }) else {
                throw Arguments.UsageError("--environment must be Production or Sandbox, not \(name)")
            }
            return environment
        }
        wantsJSON = arguments.flag("--json")
        switch try arguments.rest() {
        case ["list"]: act = .list
        case ["add"]: act = .add
        case ["remove"]: act = .remove
        default: throw Arguments.UsageError("say list, add or remove")
        }
        if case .list = act {
            self.bundleId = ""
        } else {
            guard let bundleId, !bundleId.isEmpty else { throw Arguments.UsageError("give --bundle-id") }
            self.bundleId = bundleId
        }
    }

    func run() async throws -> ExitStatus {
        let (act, bundleId, appAppleId, environments) = (act, bundleId, appAppleId, environments)
        let apps = try await CommandLog.with(location) { log in
            let now = SystemClock().now()
            switch act {
            case .list: break
            case .add:
                try await log.store.addApp(
                    bundleId: bundleId, appAppleId: appAppleId, environments: environments, at: now)
            case .remove:
                guard try await log.store.removeApp(bundleId: bundleId, at: now) else {
                    throw CommandFailure("\(bundleId) is not served: see `entitled app list`")
                }
            }
            return try await log.store.apps()
        }
        for app in apps { show(app) }
        return .done
    }

    private func show(_ app: StoredApp) {
        let names = app.environments.map(\.rawValue)
        if wantsJSON {
            let line: JSONValue = [
                "bundleId": .string(app.bundleId), "appAppleId": JSONValue(app.appAppleId),
                "environments": .array(names.map(JSONValue.string)),
            ]
            print(line.text)
        } else {
            print("\(app.bundleId)  \(app.appAppleId.map(String.init) ?? "-")  \(names.joined(separator: ","))")
        }
    }
}
