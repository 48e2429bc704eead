import Entitlements
import Foundation
import Service
import Sync

/// `entitled account`: operators' work on one account.
struct Account: Command {
    static let name = "account"
    static let summary = "look at an account and say why, grant, revoke, transfer, erase, export"
    static let help = """
        Usage: entitled account show ACCOUNT [--at T] [--known-at T]
               entitled account explain ACCOUNT [--at T] [--known-at T] [--entitlement E]
               entitled account history ACCOUNT
               entitled account export ACCOUNT
               entitled account grant ACCOUNT --entitlement E [--from T] [--until T] [--id ID] [--reason TEXT]
               entitled account revoke-grant ACCOUNT --id ID
               entitled account transfer ACCOUNT --original-transaction-id ID
               entitled account spend ACCOUNT --currency C --amount N --key KEY
               entitled account restore ACCOUNT --file FILE
               entitled account erase ACCOUNT
               entitled account token ACCOUNT [--ttl TIME]

        show          what the account has
        explain       why each entitlement is or is not active: the transactions, the rules, the events that said so
        history       what happened, in the order in which it was learned
        export        all that is stored, as JSON; signed texts byte for byte. Of every environment, or that of --environment.
                      It may name other accounts, as a purchase that moved does
        grant         gives access until a time, or for ever
        revoke-grant  takes a grant back
        transfer      moves a purchase to this account
        spend         takes from a balance; the same key again takes nothing more
        restore       the user's wish to have the purchases of FILE here (a signed transaction a line), as policies allow
        erase         forgets the account; what it owned stays locked
        token         a device token for the account (--ttl 45s, 30m, 1h, 7d; default 1h)

          --reason TEXT        why an act is done, for the record (`entitled audit`); a grant keeps it, too
          --at T               the time asked about (default now): 2026-06-01T10:00:00.000Z or milliseconds
          --known-at T         with only what was known then, by the catalog of that time
          --app B              the app, when several are served
          --environment E      Production (default), Sandbox, Xcode or LocalTesting
          --json               for machines
        \(DatabaseLocation.help)
          --file FILE          restore: see there. token: the key file; otherwise that of --state or ENTITLED_KEYS_FILE

        Example: entitled account explain a1a1a1a1-0000-4000-8000-00000000000a --at 2026-06-01T10:00:00Z --state .entitled
                 entitled account grant a1a1a1a1-0000-4000-8000-00000000000a --entitlement pro --until 2026-07-01T00:00:00Z \\
                     --reason "outage of 3 June"
        """

    private let act: AccountAct
    private let account: AccountID
    private let app: String?
    private let environment: Entitlements.Environment?
    private let location: DatabaseLocation
    private let wantsJSON: Bool
    private let reason: String?

    init(_ arguments: inout Arguments) throws {
        location = try DatabaseLocation(&arguments)
        app = try arguments.option("--app")
        environment = try arguments.choice("--environment", Environment.known.map { ($0.rawValue, $0) })
        wantsJSON = arguments.flag("--json")
        var options = try AccountOptions(&arguments)
        let words = try arguments.rest()
        reason = options.reason
        guard words.count == 2 else { throw Arguments.UsageError("say what to do, and the account") }
        guard let account = AccountID(words[1]) else {
            throw Arguments.UsageError("the account must be a UUID other than zero, not \(words[1])")
        }
        guard !account.isReserved else {
            throw Arguments.UsageError("the account must not be a UUID of version 8, which is reserved: \(words[1])")
        }
        self.account = account
        act = try AccountAct(words[0], &options, state: location.state)
        if act.isRecorded { _ = options.take("--reason") }
        try options.finish(words[0])
    }

    func run() async throws -> ExitStatus {
        print(try await text(), terminator: "")
        return .done
    }

    private func text() async throws -> String {
        // With the app named, a token needs no database.
        if case .token(let lifetime, let keys) = act, let app { return try token(lifetime, keys, app) }
        return try await CommandLog.with(location) { log in
            let engine = try await log.engine(isDevelopment: true, roots: try location.trustedRoots())
            let app = try log.app(app, of: engine)
            let desk = AccountDesk(
                engine: engine, app: app, account: account, environment: environment, wantsJSON: wantsJSON,
                reason: reason)
            switch act {
            case .token(let lifetime, let keys): return try token(lifetime, keys, app.terms.bundleId)
            case .show(let question): return try await desk.show(question)
            case .explain(let question, let entitlement): return try await desk.explain(question, entitlement)
            case .history: return try await desk.history()
            case .export: return try await desk.export()
            case .grant(let grant): return try await desk.grant(grant)
            case .revokeGrant(let id): return try await desk.revokeGrant(id)
            case .transfer(let id): return try await desk.transfer(id)
            case .spend(let spend): return try await desk.spend(spend)
            case .restore(let transactions): return try await desk.restore(transactions)
            case .erase: return try await desk.erase()
            }
        }
    }

    private func token(_ lifetime: Milliseconds, _ keys: KeyFile, _ app: String) throws -> String {
        let now = SystemClock().now()
        let token = try AccessToken(
            subject: account.description, app: app, scope: .device, expires: now + lifetime)
        let text = try TokenIssuer(keys.read()).issue(token, at: now)
        let object: JSONValue = ["token": .string(text), "expiresAt": .integer(token.expires)]
        return (wantsJSON ? object.text : text) + "\n"
    }
}
