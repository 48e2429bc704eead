public import Entitlements
import Signatures
import Synchronization

/// The time and a way to wait for it, passed in so that tests decide both.
public protocol Pacer: Sendable {
    /// Now, in milliseconds since 1970.
    func now() -> Milliseconds
    /// Returns at that time, or throws when the task is cancelled.
    func wait(until instant: Milliseconds) async throws(CancellationError)
}

/// Where the App Store Server API is.
public struct ServerAPIHosts: Sendable, Hashable {
    /// Without a slash at the end.
    public var production: String
    /// Without a slash at the end.
    public var sandbox: String

    /// Two hosts.
    public init(production: String, sandbox: String) {
        self.production = production
        self.sandbox = sandbox
    }

    /// Apple's.
    public static let apple = ServerAPIHosts(
        production: "https://api.storekit.apple.com", sandbox: "https://api.storekit-sandbox.apple.com")

    func host(of environment: Environment) -> String { environment == .production ? production : sandbox }
}

/// Calls the App Store Server API for one app, below Apple's limits. Every answer is a value; what is signed in it is not
/// verified here.
public final class ServerAPIClient: Sendable {
    private struct State {
        var mint: ServerAPITokenMint
        var budget: CallBudget
    }

    private let hosts: ServerAPIHosts
    private let exchange: any HTTPExchange
    private let pacer: any Pacer
    private let onCall: @Sendable (ServerAPIEndpoint, String) -> Void
    private let state: Mutex<State>

    /// A client. `onCall` is told of each call and how it ended, `ok` or the error's label, for metrics.
    public init(
        key: InAppPurchaseKey, bundleId: String, hosts: ServerAPIHosts = .apple, exchange: any HTTPExchange,
        pacer: any Pacer, budget: CallBudget = CallBudget(),
        onCall: @escaping @Sendable (ServerAPIEndpoint, String) -> Void = { _, _ in }
    ) {
        self.hosts = hosts
        self.exchange = exchange
        self.pacer = pacer
        self.onCall = onCall
        state = Mutex(State(mint: ServerAPITokenMint(key: key, bundleId: bundleId), budget: budget))
    }

    /// Waits for the call's turn, sends it, and reads the answer. Retries nothing.
    public func call(
        _ request: ServerAPIRequest, in environment: Environment
    ) async throws(ServerAPIError) -> JSONObject {
        do throws(ServerAPIError) {
            let answer = try await attempt(request, in: environment)
            onCall(request.endpoint, "ok")
            return answer
        } catch {
            if case .wait(let until) = error.remedy {
                state.withLock { $0.budget.block(request.endpoint, in: environment, until: until) }
            }
            if error.code == .unauthorized { state.withLock { $0.mint.discard() } }
            onCall(request.endpoint, error.label)
            throw error
        }
    }

    private func attempt(
        _ request: ServerAPIRequest, in environment: Environment
    ) async throws(ServerAPIError) -> JSONObject {
        let turn = state.withLock { $0.budget.reserve(request.endpoint, in: environment, at: pacer.now()) }
        do {
            try await pacer.wait(until: turn)
        } catch {
            throw ServerAPIError(.noAnswer, "cancelled before it was sent", .retry)
        }
        let sent = try outgoing(request, environment)
        let answer: ReceivedAnswer
        do {
            answer = try await exchange.send(sent)
        } catch {
            throw ServerAPIError(.noAnswer, error.description, .retry)
        }
        guard 200...299 ~= answer.status else { throw ServerAPIError(answer, now: pacer.now()) }
        return try Self.object(answer)
    }

    private func outgoing(
        _ request: ServerAPIRequest, _ environment: Environment
    ) throws(ServerAPIError) -> OutgoingRequest {
        let token: String
        do throws(SignatureError) {
            let now = pacer.now()
            token = try state.withLock { state throws(SignatureError) in try state.mint.token(at: now) }
        } catch {
            throw ServerAPIError(.key, "the key cannot sign a token: \(error)", .operatorMust)
        }
        var headers = [(name: "Authorization", value: "Bearer \(token)"), (name: "Accept", value: "application/json")]
        if request.body != nil { headers.append((name: "Content-Type", value: "application/json")) }
        return OutgoingRequest(
            method: request.method, url: hosts.host(of: environment) + request.target, headers: headers,
            body: request.body.map { Array(JSONValue.object($0).text.utf8) })
    }

    private static func object(_ answer: ReceivedAnswer) throws(ServerAPIError) -> JSONObject {
        // Some calls answer without a word.
        guard !answer.body.isEmpty else { return JSONObject() }
        let limits = JSONLimits(bytes: answer.body.count)
        guard let value = try? JSONValue(parsing: answer.body, limits: limits), let object = value.objectValue else {
            throw .unreadable("the answer has status \(answer.status) and is no JSON object", status: answer.status)
        }
        return object
    }
}

extension ServerAPIClient {
    /// The same call, first in Production and, where the id is not known there, in Sandbox: for ids that came without a
    /// signature (server-api, section 6). Says where it was found.
    public func callAnywhere(
        _ request: ServerAPIRequest
    ) async throws(ServerAPIError) -> (environment: Environment, answer: JSONObject) {
        do throws(ServerAPIError) {
            return (.production, try await call(request, in: .production))
        } catch {
            guard error.remedy == .otherEnvironment else { throw error }
            return (.sandbox, try await call(request, in: .sandbox))
        }
    }

    /// Asks for a transaction as it is now: the signed text.
    public func transactionInfo(
        _ id: String, in environment: Environment
    ) async throws(ServerAPIError) -> String {
        try SingleTransaction(try await call(.transactionInfo(id), in: environment)).signedTransaction
    }

    /// A page of a customer's history.
    public func history(
        of id: String, revision: String?, in environment: Environment
    ) async throws(ServerAPIError) -> TransactionPage {
        try TransactionPage(try await call(.history(of: id, revision: revision), in: environment))
    }

    /// A page of a customer's refunds.
    public func refundHistory(
        of id: String, revision: String?, in environment: Environment
    ) async throws(ServerAPIError) -> TransactionPage {
        try TransactionPage(try await call(.refundHistory(of: id, revision: revision), in: environment))
    }

    /// The state of a customer's subscriptions.
    public func statuses(
        of id: String, in environment: Environment
    ) async throws(ServerAPIError) -> SubscriptionStatuses {
        try SubscriptionStatuses(try await call(.statuses(of: id), in: environment))
    }

    /// A page of the notifications of a span.
    public func notificationHistory(
        from start: Milliseconds, to end: Milliseconds, token: String?, in environment: Environment
    ) async throws(ServerAPIError) -> NotificationPage {
        try NotificationPage(
            try await call(.notificationHistory(from: start, to: end, token: token), in: environment))
    }

    /// Asks for a TEST notification; the token asks what became of it.
    public func requestTestNotification(in environment: Environment) async throws(ServerAPIError) -> String {
        let answer = try await call(.testNotification, in: environment)
        guard let token = answer["testNotificationToken"]?.stringValue else {
            throw .unreadable("the answer has no testNotificationToken")
        }
        return token
    }

    /// What became of a TEST notification.
    public func testNotificationStatus(
        _ token: String, in environment: Environment
    ) async throws(ServerAPIError) -> TestNotificationStatus {
        try TestNotificationStatus(try await call(.testNotificationStatus(token), in: environment))
    }

    /// What was bought with an order. Production only.
    public func order(_ id: String) async throws(ServerAPIError) -> OrderLookup {
        try OrderLookup(try await call(.order(id), in: .production))
    }

    /// Moves a renewal date.
    public func extendRenewal(
        of lineage: String, days: Int, reason: Int, identifier: String, in environment: Environment
    ) async throws(ServerAPIError) -> RenewalExtension {
        let request = ServerAPIRequest.extendRenewal(of: lineage, days: days, reason: reason, identifier: identifier)
        return RenewalExtension(try await call(request, in: environment))
    }

    /// Writes an account into a purchase.
    public func setAppAccountToken(
        _ account: AccountID, lineage: String, in environment: Environment
    ) async throws(ServerAPIError) {
        _ = try await call(.setAppAccountToken(account, lineage: lineage), in: environment)
    }

    /// Tells how much of a purchase was used.
    public func sendConsumption(
        _ report: ConsumptionReport, of transactionId: String, in environment: Environment
    ) async throws(ServerAPIError) {
        _ = try await call(.consumption(transactionId, report), in: environment)
    }
}
