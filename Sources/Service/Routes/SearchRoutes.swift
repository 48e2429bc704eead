import AppStore
import Entitlements
import EventLog
import EventLoop
import Sync

/// How operators find what they look for: apps, accounts by any id, what was done.
struct SearchRoutes {
    let backend: Backend

    private static let pages: ClosedRange<Int64> = 1...1000
    /// The longest id of anything.
    private static let maximumID = 128

    var routes: [Route] {
        [
            Route("GET", "/v1/apps", .operators, .immediate { call throws(Problem) in apps(call) }),
            Route(
                "GET", "/v1/apps/{bundleId}/accounts", .operators,
                .asynchronous { call in .answer(try await find(call)) }),
            Route(
                "GET", "/v1/apps/{bundleId}/audit", .operators,
                .asynchronous { call in .answer(try await acts(call)) }),
        ]
    }

    private func apps(_ call: Call) -> Answer {
        let own = call.token?.app
        let apps = backend.engine.terms.apps
            .filter { own == nil || $0.terms.bundleId == own }
            .sorted { $0.terms.bundleId < $1.terms.bundleId }
        return .json([
            "apps": .array(
                apps.map { app in
                    [
                        "bundleId": .string(app.terms.bundleId), "appAppleId": JSONValue(app.identity.appAppleId),
                        "environments": .array(app.terms.environments.map(\.rawValue).sorted().map(JSONValue.string)),
                        "catalogRevision": .integer(Int64(app.catalogRevision)),
                    ]
                })
        ])
    }

    private func find(_ call: Call) async throws -> Answer {
        let app = try backend.app(call)
        guard let id = try call.query("id"), 1...Self.maximumID ~= id.utf8.count else {
            throw Problem(
                .invalidParameter,
                "The parameter id must be an account, a transaction id, an original transaction id or a grant's id.")
        }
        let environment =
            try call.query("environment") == nil ? nil : try call.environment(of: app.terms.environments)
        let found = try await backend.engine.find(id, environment: environment, app: app)
        return .json([
            "accounts": .array(
                found.accounts.map { item in
                    [
                        "environment": .string(item.environment.rawValue), "account": .string(item.account.description),
                        "version": .integer(item.version),
                    ]
                }),
            "purchases": .array(
                found.purchases.map { purchase in
                    [
                        "environment": .string(purchase.lineage.environment.rawValue),
                        "originalTransactionId": .string(purchase.lineage.id),
                        "isLocked": .bool(purchase.isLocked),
                        "accounts": .array(purchase.parties.map { .string($0.description) }),
                    ]
                }),
        ])
    }

    private func acts(_ call: Call) async throws -> Answer {
        let app = try backend.app(call)
        let limit = try call.integer("limit", in: Self.pages) ?? 100
        var account: AccountID?
        if let text = try call.query("account") {
            guard let named = AccountID(text) else {
                throw Problem(.invalidParameter, "The parameter account must be a UUID other than zero.")
            }
            account = named
        }
        var position = AuditPosition.newest
        if let text = try call.query("before") {
            guard let given = AuditPosition(text) else {
                throw Problem(.invalidParameter, "The parameter before must be the next of an earlier answer.")
            }
            position = given
        }
        let entries = try await backend.engine.acts(
            app: app, account: account, before: position, limit: Int32(limit))
        let next = entries.count == Int(limit) ? entries.last.map { AuditPosition(behind: $0).text } : nil
        return .json(["acts": .array(entries.map(\.json)), "next": JSONValue(next)])
    }
}
