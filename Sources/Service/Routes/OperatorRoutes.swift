import Entitlements
import EventLoop
import Signatures
import Sync

/// What operators do with accounts and purchases.
struct OperatorRoutes {
    let backend: Backend

    private static let smallBody = Route.Body.json(limit: 16 * 1024, requiresMediaType: true)
    /// Purchases listed at once.
    private static let pages: ClosedRange<Int64> = 1...1000

    var routes: [Route] {
        [
            Route(
                "POST", "/v1/apps/{bundleId}/accounts/{account}/grants", .operators, body: Self.smallBody,
                .asynchronous { call in .answer(try await grant(call)) }),
            Route(
                "DELETE", "/v1/apps/{bundleId}/grants/{id}", .operators,
                .asynchronous { call in .answer(try await revoke(call)) }),
            Route(
                "POST", "/v1/apps/{bundleId}/accounts/{account}/transfer", .scopes([.admin]), body: Self.smallBody,
                .asynchronous { call in .answer(try await transfer(call)) }),
            Route(
                "POST", "/v1/apps/{bundleId}/lineages/{id}/free", .scopes([.admin]),
                .asynchronous { call in .answer(try await free(call)) }),
            Route(
                "POST", "/v1/apps/{bundleId}/accounts/{account}/erase", .scopes([.admin]), body: .none,
                .asynchronous { call in .answer(try await erase(call)) }),
            Route(
                "GET", "/v1/apps/{bundleId}/unclaimed", .operators,
                .asynchronous { call in .answer(try await unclaimed(call)) }),
        ]
    }

    private func grant(_ call: Call) async throws -> Answer {
        let app = try backend.app(call)
        let account = try call.account()
        let environment = try call.environment(of: app.terms.environments)
        let body = try call.body()
        let id = try body.text("id", maximumLength: Grant.idBytes) ?? "grant-" + Hex.encode(try randomBytes(12))
        let (from, until) = (try body.integer("from"), try body.integer("until"))
        guard from.map(Time.plausible.contains) ?? true, until.map({ $0 <= Time.latest }) ?? true else {
            throw Problem(.invalidBody, "The members from and until must be times in milliseconds.")
        }
        let wish = GrantWish(
            id: id, entitlement: try body.requiredText("entitlement", maximumLength: CatalogLimits.idBytes), from: from,
            until: until, reason: try body.text("reason", maximumLength: Grant.reasonBytes))
        return try await backend.recorded(
            "grant", call, app, account: account, environment: environment, subject: id, reason: wish.reason
        ) {
            // Ids are unique in the app, and each stream knows its own only.
            let holders = try await backend.engine.holders(ofGrant: id, environment: environment, app: app)
            guard holders.allSatisfy({ $0 == account }) else { throw Problem(.grantExists) }
            return try await backend.carryOut(
                .grant(.account(environment, account), wish), account: account, environment: environment, app: app,
                call: call, name: "grant", adding: ["id": .string(id)])
        }
    }

    private func revoke(_ call: Call) async throws -> Answer {
        let app = try backend.app(call)
        let environment = try call.environment(of: app.terms.environments)
        guard let id = call.parameters[.id], 1...Grant.idBytes ~= id.utf8.count else { throw Problem(.unknownGrant) }
        let holders = try await backend.engine.holders(ofGrant: id, environment: environment, app: app)
        guard let account = holders.first else { throw Problem(.unknownGrant) }
        return try await backend.recorded(
            "revokeGrant", call, app, account: account, environment: environment, subject: id
        ) {
            try await backend.carryOut(
                .revokeGrant(.account(environment, account), id: id), account: account, environment: environment,
                app: app, call: call, name: "revokeGrant")
        }
    }

    private func transfer(_ call: Call) async throws -> Answer {
        let app = try backend.app(call)
        let account = try call.account()
        let environment = try call.environment(of: app.terms.environments)
        let id = try call.body().requiredText("originalTransactionId", maximumLength: 64)
        return try await backend.recorded(
            "transfer", call, app, account: account, environment: environment, subject: id
        ) {
            try await backend.carryOut(
                .transfer(LineageRef(environment, id), to: account), account: account, environment: environment,
                app: app, call: call, name: "transfer")
        }
    }

    private func free(_ call: Call) async throws -> Answer {
        let app = try backend.app(call)
        let environment = try call.environment(of: app.terms.environments)
        guard let id = call.parameters[.id], 1...64 ~= id.utf8.count else {
            throw Problem(ProblemCode.unknownLineage)
        }
        return try await backend.recorded("free", call, app, environment: environment, subject: id) {
            let outcome = try await backend.engine.run(.free(LineageRef(environment, id)), app: app).first
            return try backend.done(outcome, "free")
        }
    }

    private func erase(_ call: Call) async throws -> Answer {
        let app = try backend.app(call)
        let account = try call.account()
        return try await backend.recorded("erase", call, app, account: account) {
            try backend.done(try await backend.engine.erase(account, app: app), "erase")
        }
    }

    private func unclaimed(_ call: Call) async throws -> Answer {
        let app = try backend.app(call)
        let environment = try call.environment(of: app.terms.environments)
        let limit = try call.integer("limit", in: Self.pages) ?? 100
        let ids = try await backend.engine.unclaimed(
            environment: environment, app: app, after: try call.query("after") ?? "", limit: Int32(limit))
        let next = ids.count == Int(limit) ? ids.last : nil
        return .json(["unclaimed": .array(ids.map(JSONValue.string)), "next": JSONValue(next)])
    }
}

extension Backend {
    /// The answer of a command that shows no account.
    fileprivate func done(_ outcome: Outcome?, _ name: String) throws(Problem) -> Answer {
        guard let outcome else { throw Problem(.internalError) }
        metrics.count(.commands, "\(name):\(outcome)")
        if let problem = Problem(outcome) { throw problem }
        return .json(["outcome": .string(outcome.description)])
    }
}
