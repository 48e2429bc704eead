import Entitlements
import EventLog
import EventLoop
import Sync

/// What an app's backend does with accounts, and a device with its balances.
struct AccountRoutes {
    let backend: Backend
    let issuer: TokenIssuer

    private static let smallBody = Route.Body.json(limit: 16 * 1024, requiresMediaType: true)
    /// Seconds a device token may live: short, since there is no list of revoked ones (docs/threat-model.md).
    private static let lifetimes: ClosedRange<Int64> = 60...86_400
    private static let defaultLifetime: Int64 = 3600

    var routes: [Route] {
        [
            Route(
                "PUT", "/v1/apps/{bundleId}/accounts/{account}", .scopes([.backend, .admin]),
                .asynchronous { call in .answer(try await register(call)) }),
            Route(
                "POST", "/v1/apps/{bundleId}/accounts/{account}/tokens", .scopes([.backend, .admin]),
                .asynchronous { call in .answer(try await token(call)) }),
            Route(
                "POST", "/v1/apps/{bundleId}/accounts/{account}/balances/{currency}/spend",
                .scopes([.device, .backend, .admin]), body: Self.smallBody,
                .asynchronous { call in .answer(try await spend(call)) }),
        ]
    }

    private func register(_ call: Call) async throws -> Answer {
        let app = try backend.app(call)
        let account = try call.account()
        try await backend.engine.authenticated(account, app: app)
        return .json(["account": .string(account.description)])
    }

    private func token(_ call: Call) async throws -> Answer {
        let app = try backend.app(call)
        let account = try call.account()
        let seconds = try call.integer("ttl", in: Self.lifetimes) ?? Self.defaultLifetime
        // Whoever may issue a token vouches for the account.
        try await backend.engine.authenticated(account, app: app)
        let token = try AccessToken(
            subject: account.description, app: app.terms.bundleId, scope: .device,
            expires: (call.now / 1000 + seconds) * 1000)
        return .json(
            ["token": .string(try issuer.issue(token, at: call.now)), "expiresAt": .integer(token.expires)], status: 201
        )
    }

    private func spend(_ call: Call) async throws -> Answer {
        let app = try backend.app(call)
        let account = try call.account()
        let environment = try call.environment(of: app.terms.environments)
        guard let currency = call.parameters[.currency], 1...CatalogLimits.idBytes ~= currency.utf8.count else {
            throw Problem(
                .invalidParameter, "The currency in the path must have 1 to \(CatalogLimits.idBytes) bytes.")
        }
        let body = try call.body()
        guard let amount = try body.integer("amount") else {
            throw Problem(.invalidBody, "The member amount is missing: it must be a positive whole number.")
        }
        let key = try body.requiredText("idempotencyKey", maximumLength: Spend.keyBytes)
        if call.token?.scope == .device { try await backend.engine.authenticated(account, app: app) }
        let spend = Spend(currency: currency, amount: amount, idempotencyKey: key)
        func carryOut() async throws -> Answer {
            try await backend.carryOut(
                .spend(.account(environment, account), spend), account: account, environment: environment, app: app,
                call: call, name: "spend")
        }
        // Devices and backends spend by themselves; an operator does it for somebody.
        guard call.token?.scope == .admin else { return try await carryOut() }
        return try await backend.recorded(
            "spend", call, app, account: account, environment: environment, subject: key, carryOut)
    }
}

extension Backend {
    /// Runs a command about one account and answers with the account's view after it.
    func carryOut(
        _ command: Command, account: AccountID, environment: Environment, app: ServedApp, call: Call, name: String,
        adding additions: JSONObject = [:]
    ) async throws -> Answer {
        let wish = try ViewWish(call.request.headers)
        let committed = try await engine.submit(command, app: app)
        // A command without items has one outcome.
        guard let outcome = committed.outcomes.first else { throw Problem(.internalError) }
        metrics.count(.commands, "\(name):\(outcome)")
        if let problem = Problem(outcome) { throw problem }
        let view: View
        if let own = committed.views[.account(environment, account)] {
            view = own
        } else {
            view = try await engine.view(of: account, environment: environment, app: app)
        }
        var writer = JSONWriter()
        let members = try ViewMembers(view, wish, by: presenter, at: call.now)
        writer.object { writer in
            writer.member("outcome", outcome.description)
            for member in additions.members {
                writer.name(member.name)
                writer.value(member.value)
            }
            members.write(to: &writer)
        }
        var answer = Answer.json(writer.bytes)
        answer.outcomes = ["\(name):\(outcome)": 1]
        answer.response.headers.append(members.header)
        return answer
    }
}

extension Problem {
    /// Nil unless the outcome is a refusal.
    init?(_ outcome: Outcome) {
        switch outcome {
        case .recorded, .duplicate, .unclaimed: return nil
        case .belongsToAnotherAccount(let refusal):
            self.init(.lineageLocked, refusal.map { "The purchase did not move: \($0.rawValue)." })
        case .rejected(let rejection): self.init(rejection)
        case .refused(let refusal):
            let code: ProblemCode =
                switch refusal {
                case .insufficientBalance: .insufficientBalance
                case .idempotencyConflict: .idempotencyConflict
                case .invalidAmount: .invalidAmount
                case .invalidPeriod: .invalidBody
                case .grantExists: .grantExists
                case .unknownGrant: .unknownGrant
                case .unknownLineage: .unknownLineage
                case .notLocked: .notLocked
                case .locked: .lineageLocked
                case .alreadyOwner: .alreadyOwner
                case .consumable: .consumableLineage
                }
            let isPeriod = refusal == .invalidPeriod
            self.init(code, isPeriod ? "The member until must be later than the beginning of the grant." : nil)
        }
    }
}
