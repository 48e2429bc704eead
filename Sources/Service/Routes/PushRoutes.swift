import AppStore
import Entitlements
import EventLoop
import Sync

/// `POST …/transactions` and `…/restore`: what a device's StoreKit hands over.
struct PushRoutes {
    let backend: Backend

    /// Signed objects of each kind in one request.
    private static let maximumItems = 100

    var routes: [Route] {
        let body = Route.Body.json(limit: backend.limits.bodyBytes, requiresMediaType: true)
        return [
            Route(
                "POST", "/v1/apps/{bundleId}/accounts/{account}/transactions", .scopes([.device]), body: body,
                .asynchronous { call in .answer(try await push(call, isRestore: false)) }),
            Route(
                "POST", "/v1/apps/{bundleId}/accounts/{account}/restore", .scopes([.device]), body: body,
                .asynchronous { call in .answer(try await push(call, isRestore: true)) }),
        ]
    }

    private func push(_ call: Call, isRestore: Bool) async throws -> Answer {
        let app = try backend.app(call)
        let account = try call.account()
        let asked = try call.environment(of: app.terms.environments)
        let wish = try ViewWish(call.request.headers)
        let body = try call.body()
        let transactions = try list("signedTransactions", of: body)
        let renewalInfos = try list("signedRenewalInfos", of: body)

        let pushed = try await backend.engine.push(
            transactions: transactions, renewalInfos: renewalInfos, account: account, app: app, isRestore: isRestore)
        let environment = try shown(asked, call, pushed.environments)
        let view: View
        if let committed = pushed.views[environment] {
            view = committed
        } else {
            view = try await backend.engine.view(of: account, environment: environment, app: app)
        }
        var outcomes: [String: Int] = [:]
        var writer = JSONWriter(capacity: 4096)
        let members = try ViewMembers(view, wish, by: backend.presenter, at: call.now)
        writer.object { writer in
            writer.name("results")
            write(pushed.transactions, to: &writer, counting: &outcomes)
            if !renewalInfos.isEmpty {
                writer.name("renewalResults")
                write(pushed.renewalInfos, to: &writer, counting: &outcomes)
            }
            members.write(to: &writer)
        }
        for (outcome, count) in outcomes { backend.metrics.count(.signedObjects, outcome, by: count) }
        var answer = Answer.json(writer.bytes)
        answer.outcomes = outcomes
        answer.response.headers.append(members.header)
        return answer
    }

    /// Whose view is answered: that of the environment asked for or, when none was named, of the only one that was pushed to.
    private func shown(
        _ asked: Environment, _ call: Call, _ pushed: Set<Environment>
    ) throws(Problem) -> Environment {
        guard try call.query("environment") == nil, let only = pushed.first, pushed.count == 1 else { return asked }
        return only
    }

    private func list(_ name: String, of body: JSONObject) throws(Problem) -> [String] {
        guard let value = body[name], value != .null else { return [] }
        guard let elements = value.arrayValue else {
            throw Problem(.invalidBody, "The member \(name) must be an array of strings.")
        }
        guard elements.count <= Self.maximumItems else {
            throw Problem(
                .tooManyItems, "The member \(name) has \(elements.count) elements, and may have \(Self.maximumItems).")
        }
        let texts = elements.compactMap(\.stringValue)
        guard texts.count == elements.count else {
            throw Problem(.invalidBody, "The member \(name) must be an array of strings.")
        }
        return texts
    }

    private func write(_ results: [PushResult], to writer: inout JSONWriter, counting outcomes: inout [String: Int]) {
        writer.array { writer in
            for result in results {
                let item = PushItem(result.outcome)
                outcomes[item.outcome, default: 0] += 1
                if case .refused(let refusal) = result.outcome {
                    backend.metrics.count(.refusals, refusal.check.rawValue)
                }
                writer.object { writer in
                    writer.member("transactionId", result.transactionId)
                    writer.member("outcome", item.outcome)
                    if let reason = item.reason { writer.member("reason", reason) }
                    if let detail = item.detail { writer.member("detail", detail) }
                    writer.member("finish", item.finish)
                }
            }
        }
    }
}

/// What a device is told of one signed object.
struct PushItem: Sendable, Equatable {
    /// A word of api.md.
    let outcome: String
    /// Why it was not taken, or moved nothing.
    var reason: String?
    /// Which check failed, for people.
    var detail: String?
    /// Whether the device may finish the transaction: only what is durable may be finished.
    let finish: Bool

    init(_ result: PushResult.PushOutcome) {
        switch result {
        case .refused(let refusal):
            outcome = refusal.isRetryable ? "retry" : "rejected"
            reason = refusal.reason
            detail = refusal.description
            finish = false
        case .decided(let decided):
            switch decided {
            case .recorded, .duplicate, .unclaimed:
                outcome = decided.description
                finish = true
            case .belongsToAnotherAccount(let refusal):
                outcome = "belongsToAnotherAccount"
                reason = refusal?.rawValue
                finish = true
            case .rejected(let rejection):
                outcome = "rejected"
                reason = rejection.rawValue
                detail = rejection.sentence
                finish = false
            case .refused(let refusal):
                outcome = "rejected"
                reason = refusal.rawValue
                finish = false
            }
        }
    }
}

extension Rejection {
    /// What is wrong with verified data that is not taken, for people.
    fileprivate var sentence: String {
        switch self {
        case .bundleId: "the data is genuine and for another app"
        case .environment: "the data is genuine and of an environment that this app does not take"
        case .malformed: "the data is genuine, and an id is missing or a date lies outside the years 2000 to 2100"
        case .unknownLineage: "a renewal info is taken with a known transaction of its lineage only: push that, too"
        }
    }
}
