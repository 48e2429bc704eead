import Entitlements
import EventLog
import Foundation
import Service
import Sync

/// `entitled audit`: what operators did.
struct Audit: Command {
    static let name = "audit"
    static let summary = "list what operators did: who, when, what, why"
    static let help = """
        Usage: entitled audit [--account A] [--limit N] [--app B]

        Lists what was done over HTTP, in the web console and on the command line, the newest first: when, who and by which
        right, what, to which account, how it ended ("done", or the code of the refusal), and the reason given.

          --account A          only what was done to this account
          --limit N            so many lines (default 50)
          --app B              the app, when several are served
          --json               for machines
        \(DatabaseLocation.help)

        Example: entitled audit --account a1a1a1a1-0000-4000-8000-00000000000a --state .entitled
        """

    private static let limits: ClosedRange<Int32> = 1...10_000

    private let location: DatabaseLocation
    private let app: String?
    private let account: AccountID?
    private let limit: Int32
    private let wantsJSON: Bool

    init(_ arguments: inout Arguments) throws {
        location = try DatabaseLocation(&arguments)
        app = try arguments.option("--app")
        account = try arguments.option("--account").map { text throws(Arguments.UsageError) in
            guard let account = AccountID(text) else {
                throw Arguments.UsageError("--account must be a UUID other than zero, not \(text)")
            }
            return account
        }
        let count = try arguments.option("--limit") ?? "50"
        guard let limit = Int32(count), Self.limits ~= limit else {
            throw Arguments.UsageError("--limit must be a number from 1 to \(Self.limits.upperBound), not \(count)")
        }
        self.limit = limit
        wantsJSON = arguments.flag("--json")
        try arguments.finish()
    }

    func run() async throws -> ExitStatus {
        let entries = try await CommandLog.with(location) { log in
            let engine = try await log.engine(isDevelopment: true)
            let app = try log.app(app, of: engine)
            return try await engine.acts(app: app, account: account, before: .newest, limit: limit)
        }
        if wantsJSON {
            print(JSONValue.array(entries.map(\.json)).text)
        } else {
            for entry in entries { print(Self.line(entry)) }
            if entries.isEmpty { Console.note("nothing was done") }
        }
        return .done
    }

    private static func line(_ entry: AuditEntry) -> String {
        var words = [
            Time.people(entry.at), "\(entry.actor) (\(entry.scope))", entry.act, entry.subject,
            entry.account.map { "\($0)" } ?? "", entry.environment?.rawValue ?? "",
            entry.outcome.isEmpty ? "outcome not known" : entry.outcome,
        ]
        if !entry.reason.isEmpty { words.append("“\(entry.reason)”") }
        return words.filter { !$0.isEmpty }.joined(separator: "  ")
    }
}

extension AuditEntry {
    /// What an operator does on the command line.
    static func command(
        _ act: String, app: ServedApp, environment: Entitlements.Environment?, account: AccountID? = nil,
        subject: String = "", reason: String?
    ) -> AuditEntry {
        AuditEntry(
            app: app.number, at: SystemClock().now(), id: UUID(), environment: environment, account: account,
            actor: NSUserName(), scope: "command", act: act, subject: subject, reason: reason ?? "")
    }

    /// How a refused command is recorded.
    static func refusal(_ error: any Error) -> String { error is CommandFailure ? "refused" : "failed" }
}
