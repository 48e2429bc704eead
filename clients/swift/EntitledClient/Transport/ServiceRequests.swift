import Entitlements
import Foundation

/// Makes the requests of the public surface for one account.
struct ServiceRequests: Sendable {
    let base: String
    let bundleId: String
    let environment: Environment
    let account: AccountID
    let installation: String
    let answerLimit: Int

    /// How long an answer that is not held is waited for.
    private static let patience: Milliseconds = 20_000
    /// How much longer than it is to be held a hold is waited for.
    private static let slack: Milliseconds = 10_000

    /// The snapshot now.
    func fetch(token: String) -> TransportRequest {
        make("GET", "entitlements", token: token, accept: Media.signed)
    }

    /// The snapshot as soon as it is newer than the cursor's.
    func hold(cursor: String, seconds: Int, token: String) -> TransportRequest {
        var request = make(
            "GET", "entitlements", query: ["cursor": cursor, "wait": "\(seconds)"], token: token, accept: Media.signed)
        request.timeout = Milliseconds(seconds) * 1000 + Self.slack
        return request
    }

    /// `transactions` or `restore`.
    func push(_ items: [OutboxItem], to path: String, token: String) -> TransportRequest {
        var writer = JSONWriter()
        writer.object { writer in
            for (name, kind) in [
                ("signedTransactions", OutboxItem.Kind.transaction), ("signedRenewalInfos", .renewalInfo),
            ] {
                writer.name(name)
                writer.array { writer in
                    for item in items where item.kind == kind { writer.string(item.signed) }
                }
            }
        }
        return make("POST", path, token: token, body: writer.bytes)
    }

    func spend(amount: Int64, currency: String, idempotencyKey: String, token: String) -> TransportRequest {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("amount", amount)
            writer.member("idempotencyKey", idempotencyKey)
        }
        return make("POST", "balances/\(Self.encoded(currency))/spend", token: token, body: writer.bytes)
    }

    private func make(
        _ method: String, _ path: String, query: [String: String] = [:], token: String, accept: String = Media.json,
        body: [UInt8]? = nil
    ) -> TransportRequest {
        var query = query
        if environment != .production { query["environment"] = environment.rawValue }
        let parameters = query.sorted { $0.key < $1.key }.map { "\($0)=\(Self.encoded($1))" }.joined(separator: "&")
        let address = "\(base)/v1/apps/\(Self.encoded(bundleId))/accounts/\(account)/\(path)"
        var headers = [
            "Authorization": "Bearer \(token)", "Accept": accept, "Entitlement-Installation": installation,
        ]
        if body != nil {
            headers["Content-Type"] = Media.json
            headers["Entitlement-Signed"] = "1"
        }
        return TransportRequest(
            method: method, url: parameters.isEmpty ? address : address + "?" + parameters, headers: headers,
            body: body,
            timeout: Self.patience, answerLimit: answerLimit)
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    private static func encoded(_ text: String) -> String {
        // Nil only for text that is not Unicode, which a String never is.
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }
}

/// Media types of requests and answers.
enum Media {
    static let json = "application/json"
    static let signed = "application/jose"
    static let problem = "application/problem+json"
}
