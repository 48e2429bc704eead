import Entitlements
import Foundation
import Service

/// `entitled token`: a bearer token for whoever may have one.
struct Token: Command {
    static let name = "token"
    static let summary = "print a bearer token signed with the service's key"
    static let help = """
        Usage: entitled token --scope SCOPE [--app B] [options]

        Prints a token. Whoever has it may do what its scope says, until it ends: keep it like a password.

          --scope SCOPE        device, backend, support, admin or metrics
          --app B              the bundle id; needed for device and backend, otherwise the token is for every app
          --account A          the account of a device, a UUID
          --subject NAME       who acts, for the record of operators' acts (default: the name of the user)
          --ttl TIME           how long it lives: 45s, 30m, 1h, 7d (default 1h)
          --state DIR          the key of `entitled dev` in this directory; otherwise that of ENTITLED_KEYS_FILE
          --json               {"token":…,"expiresAt":…}

        Example: entitled token --app com.example.app --scope device --account a1a1a1a1-0000-4000-8000-00000000000a --ttl 1h
        """

    private let scope: Scope
    private let app: String?
    private let subject: String
    private let lifetime: Milliseconds
    private let keys: KeyFile
    private let wantsJSON: Bool

    init(_ arguments: inout Arguments) throws {
        guard let scope = try arguments.choice("--scope", Scope.allCases.map { ($0.rawValue, $0) }) else {
            throw Arguments.UsageError("give --scope: device, backend, support, admin or metrics")
        }
        self.scope = scope
        app = try arguments.option("--app")
        let account = try arguments.option("--account")
        let name = try arguments.option("--subject")
        guard scope == .device || account == nil else {
            throw Arguments.UsageError("--account is for --scope device; use --subject to name who acts")
        }
        subject = account ?? name ?? NSUserName()
        let time = try arguments.option("--ttl") ?? "1h"
        guard let lifetime = Lifetime.parse(time) else {
            throw Arguments.UsageError("--ttl must be a number and a unit, like 45s, 30m, 1h or 7d, not \(time)")
        }
        self.lifetime = lifetime
        keys = try KeyLocation.file(&arguments)
        wantsJSON = arguments.flag("--json")
        try arguments.finish()
    }

    func run() throws -> ExitStatus {
        let now = SystemClock().now()
        let token: AccessToken
        do {
            token = try AccessToken(subject: subject, app: app, scope: scope, expires: now + lifetime)
        } catch {
            throw Arguments.UsageError(error.message)
        }
        let text = try TokenIssuer(keys.read()).issue(token, at: now)
        let object: JSONValue = ["token": .string(text), "expiresAt": .integer(token.expires)]
        print(wantsJSON ? object.text : text)
        return .done
    }
}

/// Where a command finds the service's keys.
enum KeyLocation {
    static func file(_ arguments: inout Arguments) throws -> KeyFile {
        let state = try arguments.option("--state").map(DevelopmentState.init)
        if let state { return state.keys }
        return try file(named: try arguments.option("--file"))
    }

    /// The named file, or that of the environment.
    static func file(named path: String?) throws -> KeyFile {
        if let path { return KeyFile(path: path) }
        guard let path = ProcessInfo.processInfo.environment["ENTITLED_KEYS_FILE"], !path.isEmpty else {
            throw Arguments.UsageError("which keys? Give --state DIR or --file FILE, or set ENTITLED_KEYS_FILE")
        }
        return KeyFile(path: path)
    }
}
