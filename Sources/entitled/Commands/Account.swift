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
        Usage: entitled account show ACCOUNT [--at T] [--known-at T]
               entitled account grant ACCOUNT --entitlement E [--from T] [--until T] [--id ID] [--reason TEXT]
               entitled account revoke-grant ACCOUNT --id ID
               entitled account transfer ACCOUNT --original-transaction-id ID
               entitled account erase ACCOUNT

        Times are milliseconds since 1970. Every command but erase prints the account's snapshot as JSON.

          --app B              the app, when several are served
          --environment E      Production (default), Sandbox, Xcode or LocalTesting
        \(DatabaseLocation.help)

        Example: entitled account show a1a1a1a1-0000-4000-8000-00000000000a --environment Sandbox --state .entitled
        """

    private enum Act {
        case show(at: Milliseconds?, knownAt: Milliseconds?)
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

    init(_ arguments: inout Arguments) throws {
        location = try DatabaseLocation(&arguments)
        app = try arguments.option("--app")
        environment =
            try arguments.choice("--environment", Environment.known.map { ($0.rawValue, $0) }) ?? .production
        let options = try Options(&arguments)
        let words = try arguments.rest()
        guard words.count == 2 else { throw Arguments.UsageError("say what to do, and the account") }
        guard let account = AccountID(words[1]) else {
            throw Arguments.UsageError("the account must be a UUID other than zero, not \(words[1])")
        }
        self.account = account
        switch words[0] {
        case "show": act = .show(at: options.at, knownAt: options.knownAt)
        case "grant": act = .grant(try options.grant())
        case "revoke-grant": act = .revokeGrant(try options.required(options.id, "--id"))
        case "transfer": act = .transfer(try options.required(options.original, "--original-transaction-id"))
        case "erase": act = .erase
        default: throw Arguments.UsageError("say show, grant, revoke-grant, transfer or erase, not \(words[0])")
        }
    }

    func run() async throws -> ExitStatus {
        let (act, account, appName, environment) = (act, account, app, environment)
        let text = try await CommandLog.with(location) { log -> String in
            let engine = try await log.engine(isDevelopment: true)
            let app = try log.app(appName, of: engine)
            let stream = StreamRef.account(environment, account)
            let outcome: Outcome
            var question: (at: Milliseconds?, knownAt: Milliseconds?) = (nil, nil)
            switch act {
            case .show(let at, let knownAt):
                question = (at, knownAt)
                outcome = .duplicate
            case .grant(let grant): outcome = try await engine.run(.grant(stream, grant), app: app)[0]
            case .revokeGrant(let id): outcome = try await engine.run(.revokeGrant(stream, id: id), app: app)[0]
            case .transfer(let id):
                outcome = try await engine.run(.transfer(LineageRef(environment, id), to: account), app: app)[0]
            case .erase: return try await engine.erase(account, app: app).description
            }
            if case .refused(let reason) = outcome { throw CommandFailure("refused: \(reason.rawValue)") }
            let snapshot = try await engine.snapshot(
                of: account, environment: environment, app: app, at: question.at ?? SystemClock().now(),
                knownAt: question.knownAt)
            return String(decoding: snapshot.json, as: UTF8.self)
        }
        print(text)
        return .done
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
