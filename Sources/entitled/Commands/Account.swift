import Entitlements
import Foundation
import Service
import Signatures
import Sync

/// `entitled account`: operators' work on one account.
struct Account: Command {
    static let name = "account"
    static let summary = "look at an account, grant, revoke, transfer, erase"
    static let help = """
        Usage: entitled account show|explain ACCOUNT [--at T] [--known-at T]
               entitled account history ACCOUNT
               entitled account grant ACCOUNT --entitlement E [--from T] [--until T] [--id ID] [--reason TEXT]
               entitled account revoke-grant ACCOUNT --id ID
               entitled account transfer ACCOUNT --original-transaction-id ID
               entitled account erase ACCOUNT

        Times are milliseconds since 1970. `explain` says why each entitlement is or is not active, `history` what happened;
        both are for people, or with --json for machines. The others print the account's snapshot as JSON.

          --app B              the app, when several are served
          --environment E      Production (default), Sandbox, Xcode or LocalTesting
          --json               explain, history: for machines
        \(DatabaseLocation.help)

        Example: entitled account explain a1a1a1a1-0000-4000-8000-00000000000a --environment Sandbox --state .entitled
        """

    private enum Act {
        case show(at: Milliseconds?, knownAt: Milliseconds?)
        case explain(at: Milliseconds?, knownAt: Milliseconds?)
        case history
        case grant(Grant)
        case revokeGrant(String)
        case transfer(String)
        case erase
    }

    private let act: Act
    private let account: AccountID
    private let app: String?
    private let environment: Entitlements.Environment
    private let location: DatabaseLocation
    private let wantsJSON: Bool

    init(_ arguments: inout Arguments) throws {
        location = try DatabaseLocation(&arguments)
        app = try arguments.option("--app")
        environment =
            try arguments.choice("--environment", Environment.known.map { ($0.rawValue, $0) }) ?? .production
        wantsJSON = arguments.flag("--json")
        let options = try Options(&arguments)
        let words = try arguments.rest()
        guard words.count == 2 else { throw Arguments.UsageError("say what to do, and the account") }
        guard let account = AccountID(words[1]) else {
            throw Arguments.UsageError("the account must be a UUID other than zero, not \(words[1])")
        }
        self.account = account
        switch words[0] {
        case "show": act = .show(at: options.at, knownAt: options.knownAt)
        case "explain": act = .explain(at: options.at, knownAt: options.knownAt)
        case "history": act = .history
        case "grant": act = .grant(try options.grant())
        case "revoke-grant": act = .revokeGrant(try options.required(options.id, "--id"))
        case "transfer": act = .transfer(try options.required(options.original, "--original-transaction-id"))
        case "erase": act = .erase
        default:
            throw Arguments.UsageError(
                "say show, explain, history, grant, revoke-grant, transfer or erase, not \(words[0])")
        }
    }

    func run() async throws -> ExitStatus {
        let text = try await CommandLog.with(location) { log in
            let engine = try await log.engine(isDevelopment: true)
            return try await answer(engine, try log.app(app, of: engine))
        }
        print(text)
        return .done
    }

    private func answer(_ engine: SyncEngine, _ app: ServedApp) async throws -> String {
        let now = SystemClock().now()
        switch act {
        case .show(let at, let knownAt): return try await snapshot(engine, app, at: at ?? now, knownAt: knownAt)
        case .explain(let at, let knownAt):
            let explanation = try await engine.explanation(
                of: account, environment: environment, app: app, at: at ?? now, knownAt: knownAt)
            guard wantsJSON else { return explanation.text() }
            var writer = JSONWriter()
            explanation.write(to: &writer)
            return String(decoding: writer.bytes, as: UTF8.self)
        case .history:
            let history = try await engine.history(of: account, environment: environment, app: app)
            guard wantsJSON else { return history.text }
            var writer = JSONWriter()
            history.write(to: &writer, for: .support)
            return String(decoding: writer.bytes, as: UTF8.self)
        case .erase: return try await engine.erase(account, app: app).description
        case .grant(let grant): try await carryOut(.grant(stream, grant), engine, app)
        case .revokeGrant(let id): try await carryOut(.revokeGrant(stream, id: id), engine, app)
        case .transfer(let id): try await carryOut(.transfer(LineageRef(environment, id), to: account), engine, app)
        }
        return try await snapshot(engine, app, at: now, knownAt: nil)
    }

    private var stream: StreamRef { .account(environment, account) }

    private func carryOut(_ command: Entitlements.Command, _ engine: SyncEngine, _ app: ServedApp) async throws {
        let outcome = try await engine.run(command, app: app).first
        if case .refused(let reason) = outcome { throw CommandFailure("refused: \(reason.rawValue)") }
    }

    private func snapshot(
        _ engine: SyncEngine, _ app: ServedApp, at: Milliseconds, knownAt: Milliseconds?
    ) async throws -> String {
        let snapshot = try await engine.snapshot(
            of: account, environment: environment, app: app, at: at, knownAt: knownAt)
        return String(decoding: snapshot.json, as: UTF8.self)
    }
}

extension Account {
    /// What belongs to one act or another.
    private struct Options {
        let at: Milliseconds?
        let knownAt: Milliseconds?
        let entitlement: String?
        let from: Milliseconds?
        let until: Milliseconds?
        let id: String?
        let reason: String?
        let original: String?

        init(_ arguments: inout Arguments) throws {
            at = try arguments.integer("--at")
            knownAt = try arguments.integer("--known-at")
            entitlement = try arguments.option("--entitlement")
            from = try arguments.integer("--from")
            until = try arguments.integer("--until")
            id = try arguments.option("--id")
            reason = try arguments.option("--reason")
            original = try arguments.option("--original-transaction-id")
        }

        func required(_ value: String?, _ name: String) throws -> String {
            guard let value, !value.isEmpty else { throw Arguments.UsageError("give \(name)") }
            return value
        }

        func grant() throws -> Grant {
            let from = from ?? SystemClock().now()
            guard until.map({ $0 > from }) ?? true else { throw Arguments.UsageError("--until must be after --from") }
            return Grant(
                id: try id ?? "grant-" + Hex.encode(try randomBytes(12)),
                entitlement: try required(entitlement, "--entitlement"), from: from, until: until, reason: reason)
        }
    }
}
