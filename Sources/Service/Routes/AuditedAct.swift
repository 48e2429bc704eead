import Entitlements
import EventLog
import FoundationEssentials
import Sync

extension Backend {
    /// Does what an operator wants, with a record of who, what and why. `reason` is that of the query unless the body had one.
    func recorded(
        _ act: String, _ call: Call, _ app: ServedApp, account: AccountID? = nil, environment: Environment? = nil,
        subject: String = "", reason: String? = nil, _ body: () async throws -> Answer
    ) async throws -> Answer {
        guard let token = call.token else { throw Problem(.missingToken) }
        let entry = AuditEntry(
            app: app.number, at: call.now, id: call.ticket.id.uuid, environment: environment, account: account,
            actor: token.subject, scope: token.scope.rawValue, act: act, subject: subject,
            reason: try reason ?? call.reason())
        return try await engine.recorded(
            entry, refusal: { ($0 as? Problem)?.code.rawValue ?? "failed" }, body)
    }
}
