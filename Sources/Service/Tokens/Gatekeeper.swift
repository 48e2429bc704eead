import Entitlements
import EventLoop

/// Decides who may use a route: token, scope, app, account and rate, in this order.
struct Gatekeeper: Sendable {
    let tokens: TokenCache
    let rates: RateLimiter

    /// The token of the request if it may use the route; nil on routes for anyone.
    func admit(
        _ request: HTTPRequest, to route: Route, _ parameters: PathParameters, at now: Milliseconds
    ) throws(Problem) -> AccessToken? {
        guard case .scopes(let scopes) = route.access else { return nil }
        let token = try verify(bearer(request.headers), at: now)
        guard scopes.contains(token.scope) else {
            let names = scopes.map(\.rawValue).sorted().joined(separator: " or ")
            throw Problem(.forbiddenScope, "This needs a token of scope \(names).")
        }
        if let app = parameters[.bundleId], let own = token.app, own != app { throw Problem(.forbiddenApp) }
        if token.scope == .device, let account = token.account {
            // Accounts compare as UUIDs (rules.md R7).
            if let named = parameters[.account], AccountID(named) != account { throw Problem(.forbiddenAccount) }
            if let wait = rates.take(account, at: now) { throw Problem(.rateLimited, retryAfter: wait) }
        }
        return token
    }

    private func bearer(_ headers: HTTPHeaders) throws(Problem) -> String {
        let values = headers.values(of: "Authorization")
        guard values.count == 1 else { throw Problem(.missingToken) }
        // On bytes, since characters cost more than the look-up of the token.
        let parts = values[0].utf8.split(separator: UInt8(ascii: " "))
        guard parts.count == 2, let scheme = String(parts[0]), scheme.lowercased() == "bearer",
            let token = String(parts[1])
        else { throw Problem(.missingToken) }
        return token
    }

    private func verify(_ text: String, at now: Milliseconds) throws(Problem) -> AccessToken {
        do throws(TokenRefusal) {
            return try tokens.verify(text, at: now)
        } catch {
            throw Problem(error == .expired ? .expiredToken : .invalidToken, error.sentence)
        }
    }
}

extension TokenRefusal {
    /// For the answer: what to look at, nothing of what the token says.
    var sentence: String {
        switch self {
        case .malformed: "The token is not a JWT."
        case .unknownKey: "The token's kid and alg name no key of this service."
        case .signature: "The token's signature is not that of its key."
        case .claims: "The token lacks a claim among sub, app, scope and exp, or one has no sense."
        case .expired: "The token's time is over."
        case .notYet: "The token is not valid yet: compare the clocks of its issuer and of this service."
        case .issuer: "The token's key may not sign tokens of this scope or app."
        }
    }
}
