import AppStore
import Entitlements
import EventLog
import Service
import Sync

/// Does what operators want of one account, and answers in words or JSON.
struct AccountDesk: Sendable {
    let engine: SyncEngine
    let app: ServedApp
    let account: AccountID
    /// Nil when none was named.
    let environment: Entitlements.Environment?
    let wantsJSON: Bool
    /// Why, for the record of acts.
    let reason: String?

    private static let exportPage = 1000
    private var asked: Entitlements.Environment { environment ?? .production }
    private var stream: StreamRef { .account(asked, account) }

    // MARK: Questions

    func show(_ question: AccountAct.Question) async throws -> String {
        try await hintAtOtherEnvironments()
        let snapshot = try await snapshot(question)
        return wantsJSON ? String(decoding: snapshot.json, as: UTF8.self) + "\n" : snapshot.text
    }

    private func snapshot(_ question: AccountAct.Question) async throws -> Snapshot {
        try await engine.snapshot(
            of: account, environment: asked, app: app, at: question.at, knownAt: question.knownAt)
    }

    func explain(_ question: AccountAct.Question, _ entitlement: String?) async throws -> String {
        try await hintAtOtherEnvironments()
        let explanation = try await engine.explanation(
            of: account, environment: asked, app: app, at: question.at, knownAt: question.knownAt)
        guard wantsJSON else { return explanation.text(only: entitlement) }
        return Self.json { explanation.write(to: &$0, only: entitlement) }
    }

    func history() async throws -> String {
        try await hintAtOtherEnvironments()
        let history = try await engine.history(of: account, environment: asked, app: app)
        return wantsJSON ? Self.json { history.write(to: &$0, for: .support) } : history.text
    }

    /// Everything, however much it is: read page by page, written as one.
    func export() async throws -> String {
        var whole = try await engine.export(account, environment: environment, app: app, limit: Self.exportPage)
        for index in whole.parts.indices {
            while let next = whole.parts[index].next {
                let page = try await engine.export(
                    account, environment: whole.parts[index].explanation.snapshot.environment, app: app, after: next,
                    limit: Self.exportPage)
                guard let part = page.parts.first else { break }
                whole.parts[index].events += part.events
                whole.parts[index].next = part.next
            }
        }
        return Self.json { whole.write(to: &$0) }
    }

    /// Whoever forgot --environment is told, who would take the answer for that of a person without purchases.
    private func hintAtOtherEnvironments() async throws {
        guard environment == nil else { return }
        var withEvents: [Entitlements.Environment] = []
        for environment in Environment.known where app.terms.environments.contains(environment) {
            let snapshot = try await engine.snapshot(
                of: account, environment: environment, app: app, at: SystemClock().now(), knownAt: nil)
            if snapshot.version > 0 { withEvents.append(environment) }
        }
        guard !withEvents.isEmpty, !withEvents.contains(asked) else { return }
        let names = withEvents.map(\.rawValue).joined(separator: ", ")
        Console.note("note: this is about \(asked.rawValue); the account has events in \(names) (--environment)")
    }

    // MARK: Acts

    func grant(_ wish: GrantWish) async throws -> String {
        try await recorded("grant", subject: wish.id) { try await give(wish) }
    }

    private func give(_ wish: GrantWish) async throws -> String {
        let holders = try await engine.holders(ofGrant: wish.id, environment: asked, app: app)
        guard holders.allSatisfy({ $0 == account }) else {
            throw CommandFailure("refused: there is another grant or purchase \(wish.id); choose another --id")
        }
        return try await carryOut(.grant(stream, wish), "grant \(wish.id)")
    }

    func revokeGrant(_ id: String) async throws -> String {
        try await recorded("revokeGrant", subject: id) {
            try await carryOut(.revokeGrant(stream, id: id), "grant \(id) taken back")
        }
    }

    func transfer(_ id: String) async throws -> String {
        try await recorded("transfer", subject: id) {
            try await carryOut(.transfer(LineageRef(asked, id), to: account), "\(id) moved here")
        }
    }

    func spend(_ spend: Spend) async throws -> String {
        try await recorded("spend", subject: spend.idempotencyKey) {
            try await carryOut(.spend(stream, spend), "\(spend.amount) \(spend.currency) spent")
        }
    }

    /// The user's explicit wish, carried out for them: the only push that may move a purchase (rules.md R7.4).
    func restore(_ transactions: [String]) async throws -> String {
        let entry = AuditEntry.command("restore", app: app, environment: environment, account: account, reason: reason)
        let answer = try await engine.recorded(entry, refusal: AuditEntry.refusal) {
            try await engine.push(transactions: transactions, account: account, app: app, isRestore: true)
        }
        let outcomes = answer.transactions.map { result in
            switch result.outcome {
            case .decided(.belongsToAnotherAccount(let reason?)): "belongsToAnotherAccount (\(reason.rawValue))"
            case .decided(let outcome): outcome.description
            case .refused(let refusal): "rejected: \(refusal.description)"
            }
        }
        let ids = answer.transactions.map { $0.transactionId ?? "unreadable" }
        guard wantsJSON else { return zip(ids, outcomes).map { "\($0): \($1)\n" }.joined() }
        return Self.json { writer in
            writer.value(
                .array(zip(ids, outcomes).map { ["transactionId": .string($0), "outcome": .string($1)] }))
        }
    }

    func erase() async throws -> String {
        let entry = AuditEntry.command("erase", app: app, environment: nil, account: account, reason: reason)
        let outcome = try await engine.recorded(entry, refusal: AuditEntry.refusal) {
            let outcome = try await engine.erase(account, app: app)
            if case .refused(let reason) = outcome { throw CommandFailure("refused: \(reason.rawValue)") }
            return outcome
        }
        return wantsJSON ? Self.json { $0.value(["outcome": .string(outcome.description)]) } : "erased: \(outcome)\n"
    }

    private func recorded(
        _ act: String, subject: String, _ body: () async throws -> String
    ) async throws -> String {
        let entry = AuditEntry.command(
            act, app: app, environment: asked, account: account, subject: subject, reason: reason)
        return try await engine.recorded(entry, refusal: AuditEntry.refusal, body)
    }

    private func carryOut(_ command: Entitlements.Command, _ what: String) async throws -> String {
        guard let outcome = try await engine.run(command, app: app).first else {
            throw CommandFailure("the service made a mistake: the command has no outcome")
        }
        if case .refused(.invalidPeriod) = outcome {
            throw CommandFailure("refused: the grant would end before it begins; choose a later --until")
        }
        if case .refused(let reason) = outcome { throw CommandFailure("refused: \(reason.rawValue)") }
        let after = try await snapshot(AccountAct.Question(at: SystemClock().now(), knownAt: nil))
        guard wantsJSON else { return "\(what): \(outcome)\n\n\(after.text)" }
        return Self.json { writer in
            writer.object { writer in
                writer.member("outcome", outcome.description)
                writer.name("snapshot")
                after.write(to: &writer)
            }
        }
    }

    private static func json(_ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        write(&writer)
        return String(decoding: writer.bytes, as: UTF8.self) + "\n"
    }
}
