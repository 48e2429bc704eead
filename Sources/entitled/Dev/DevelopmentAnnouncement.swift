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
        try writeVariables()
    }

    /// Shell variables, so that nobody has to copy a token by hand. The token opens the sample account: for the owner only.
    private func writeVariables() throws {
        let variables = """
            SERVICE=\(url)
            ACCOUNT=\(Sample.account)
            URL=\(accountURL)
            TOKEN=\(token(.device))
            SAMPLE_OPTIONS="\(sampleOptions)"

            """
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard
            FileManager.default.createFile(
                atPath: state.path("sample.env"), contents: Data(variables.utf8), attributes: attributes)
        else { throw CommandFailure("cannot write \(state.path("sample.env"))") }
    }

    /// What `entitled-sample` needs to be this account's device.
    private var sampleOptions: String {
        "--url \(url) --bundle-id \(Sample.bundleId) --account \(Sample.account) --token \(token(.device)) "
            + "--environment \(Sample.environment.rawValue) --keys-url \(url)/.well-known/jwks.json"
    }

    private var accountURL: String { "\(url)/v1/apps/\(Sample.bundleId)/accounts/\(Sample.account)" }

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
        let here = "--state \(state.directory)"
        let query = "environment=\(Sample.environment.rawValue)"
        let curl = #"curl -sS -w '\n' -H "Authorization: Bearer $TOKEN""#
        let push = "\(curl) -H 'Content-Type: application/json' --data"
        let cursor =
            #"$(curl -sS -o /dev/null -w '%header{entitlement-cursor}' -H "Authorization: Bearer $TOKEN" "#
            + "\"$URL/entitlements?\(query)\")"
        return """
            Entitled serves \(Sample.bundleId) at \(url)
            Everything it keeps is in \(state.directory) (service.log, catalog.json, keys.json). Ctrl-C stops it.

            In another terminal, first the sample account and the token of its device:
            URL=\(accountURL)
            TOKEN=\(token(.device))
            (both, and SERVICE and ACCOUNT, also with:  . \(state.path("sample.env")))

            1. Push a signed purchase of pro.monthly (signed by this directory's own test authority):
            \(push) @\(state.path("push-1.json")) "$URL/transactions?\(query)"

            2. See what the account has now:
            \(curl) "$URL/entitlements?\(query)"

            3. Hold a poll: it answers when something changes, else after 50 seconds.
            \(curl) "$URL/entitlements?\(query)&cursor=\(cursor)" &

            4. While it waits, buy 100 coins: two answers come, that of the push and that of the poll.
            \(push) @\(state.path("push-2.json")) "$URL/transactions?\(query)"

            More purchases:    \(program) dev sign coins.100 --body \(here)
            A refund:          \(program) dev sign --refund \(state.path("push-1.json")) --body \(here)
            Why is it so?      \(program) account explain \(Sample.account) --\(query) \(here)
            Operators' token:  \(program) token --scope admin \(here)

            """
    }
}
