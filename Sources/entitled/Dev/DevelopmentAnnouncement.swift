import AppStoreSimulator
import Entitlements
import Foundation
import Service

/// What `entitled dev` prints when it is ready.
struct DevelopmentAnnouncement {
    private let url: String
    private let state: DevelopmentState
    private let tokens: [(scope: Scope, token: String)]

    /// Development tokens live this long: nobody wants to copy new ones each hour.
    private static let lifetime = 30 * Time.day

    init(url: String, state: DevelopmentState, keys: ServiceKeys, authority: SigningAuthority) throws {
        self.url = url
        self.state = state
        let now = SystemClock().now()
        let issuer = try TokenIssuer(keys)
        tokens = try [Scope.device, .backend, .admin].map { scope in
            let token = try AccessToken(
                subject: scope == .device ? Sample.account : "entitled dev",
                app: scope == .admin ? nil : Sample.bundleId,
                scope: scope, expires: now + Self.lifetime)
            return (scope, try issuer.issue(token, at: now))
        }
        for (file, product) in [("push-1.json", "pro.monthly"), ("push-2.json", "coins.100")] {
            let body = try SampleSigning.body(of: product, account: Sample.account, by: authority, at: now)
            try body.write(toFile: state.path(file), atomically: true, encoding: .utf8)
        }
    }

    private func token(_ scope: Scope) -> String { tokens.first { $0.scope == scope }?.token ?? "" }

    var json: String {
        let line: JSONValue = [
            "event": "ready", "url": .string(url), "bundleId": .string(Sample.bundleId),
            "account": .string(Sample.account),
            "tokens": .object(JSONObject(tokens.map { ($0.scope.rawValue, .string($0.token)) })),
            "database": .string(state.connectionString), "simulator": ["url": nil],
        ]
        return line.text
    }

    var text: String {
        let program = CommandLine.arguments[0]
        let query = "environment=\(Sample.environment.rawValue)"
        let authorized = #"-H "Authorization: Bearer $TOKEN""#
        let push = "curl -sS \(authorized) -H 'Content-Type: application/json' --data"
        let cursor =
            "$(curl -sS -o /dev/null -w '%header{entitlement-cursor}' \(authorized) \"$URL/entitlements?\(query)\")"
        return """
            Entitled serves \(Sample.bundleId) at \(url)
            Everything it keeps is in \(state.directory) (service.log, catalog.json, keys.json). Ctrl-C stops it.

            In another terminal, first the sample account and the token of its device:
            URL=\(url)/v1/apps/\(Sample.bundleId)/accounts/\(Sample.account)
            TOKEN=\(token(.device))

            1. Push a signed purchase of pro.monthly (signed by this directory's own test authority):
            \(push) @\(state.path("push-1.json")) "$URL/transactions?\(query)"

            2. See what the account has now:
            curl -sS \(authorized) "$URL/entitlements?\(query)"

            3. Hold a poll: it answers when something changes, else after 50 seconds.
            curl -sS \(authorized) "$URL/entitlements?\(query)&cursor=\(cursor)"

            While it waits, buy 100 coins in a third terminal (set URL and TOKEN there, too):
            \(push) @\(state.path("push-2.json")) "$URL/transactions?\(query)"

            More purchases:  \(program) dev sign coins.100 --body --state \(state.directory)
            Operators' token: \(program) token --scope admin --state \(state.directory)

            """
    }
}
