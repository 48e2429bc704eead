public import Entitlements
import Signatures

/// Signs bearer tokens with the service's key (JWT, RFC 7519, EdDSA).
public struct TokenIssuer: Sendable {
    private let key: SigningKey

    /// An issuer with the active key. Throws `keys` if there is none.
    public init(_ keys: ServiceKeys) throws(ServiceError) {
        guard let key = keys.current else { throw ServiceError(.keys, "no signing key is active") }
        self.key = key
    }

    /// The compact text of a token. A secret: whoever has it may do what it says.
    public func issue(_ token: AccessToken, at now: Milliseconds) throws -> String {
        let header: JSONValue = ["alg": "EdDSA", "typ": "JWT", "kid": .string(key.kid)]
        let claims: JSONValue = [
            "sub": .string(token.subject), "app": .string(token.app ?? AccessToken.everyApp),
            "scope": .string(token.scope.rawValue), "iat": .integer(now / 1000), "exp": .integer(token.expires / 1000),
        ]
        return try CompactJWS.sign(
            header: Array(header.text.utf8), payload: Array(claims.text.utf8), by: key.privateKey)
    }
}
