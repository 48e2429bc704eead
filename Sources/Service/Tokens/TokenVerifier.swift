public import Entitlements
import Signatures

/// Why a bearer token is not accepted. Says nothing of what is in it.
public enum TokenRefusal: String, Error, Sendable, Hashable {
    /// Not a compact JWS of JSON objects, or too long.
    case malformed
    /// No key of that `kid`, or another algorithm than the key's.
    case unknownKey
    /// The signature is not the key's.
    case signature
    /// A claim is missing or has no sense.
    case claims
    /// Its time is over.
    case expired
    /// Its time has not come.
    case notYet
    /// Its issuer may not give such a token.
    case issuer
}

/// Checks bearer tokens (RFC 7519) strictly: the key decides the algorithm, `exp` must be there.
public struct TokenVerifier: Sendable {
    private struct Key: Sendable {
        let verifier: any JWSVerifier
        /// Nil: the service's own, which may say anything.
        let limits: VerificationKey?
    }

    private let keys: [String: Key]

    /// How far the clocks of issuer and service may be apart.
    static let skew: Milliseconds = 30_000
    /// The longest token taken.
    static let maximumLength = 4096

    /// A verifier with all keys of a service.
    public init(_ keys: ServiceKeys) {
        var all: [String: Key] = [:]
        for key in keys.verification { all[key.kid] = Key(verifier: key.publicKey, limits: key) }
        for key in keys.signing { all[key.kid] = Key(verifier: key.privateKey.publicKey, limits: nil) }
        self.keys = all
    }

    /// What the token says, if it is to be believed at `now`.
    public func verify(_ text: String, at now: Milliseconds) throws(TokenRefusal) -> AccessToken {
        guard text.utf8.count <= Self.maximumLength, let jws = try? CompactJWS(Array(text.utf8)),
            let header = Self.object(try? jws.header())
        else { throw .malformed }
        // The service signs other things with the same keys; `typ` keeps them apart (RFC 8725 section 3.11).
        let type = header["typ"]?.stringValue?.lowercased() ?? "jwt"
        guard type == "jwt" || type == "at+jwt", header["crit"] == nil else { throw .malformed }
        guard let kid = header["kid"]?.stringValue, let key = keys[kid],
            header["alg"]?.stringValue == key.verifier.algorithm
        else { throw .unknownKey }
        guard let signature = try? jws.signature(), key.verifier.isValid(signature: signature, for: jws.signingInput)
        else { throw .signature }
        guard let claims = Self.object(try? jws.payload()) else { throw .malformed }
        return try Self.check(claims, limits: key.limits, now: now)
    }

    /// Whether a token that was verified before is still good.
    static func checkTime(_ token: AccessToken, at now: Milliseconds) throws(TokenRefusal) {
        guard now < token.expires + skew else { throw .expired }
    }

    private static func check(
        _ claims: JSONObject, limits: VerificationKey?, now: Milliseconds
    ) throws(TokenRefusal) -> AccessToken {
        guard let scope = claims["scope"]?.stringValue.flatMap(Scope.init), let app = claims["app"]?.stringValue,
            let subject = claims["sub"]?.stringValue, let expires = date(claims["exp"]),
            let token = try? AccessToken(
                subject: subject, app: app == AccessToken.everyApp ? nil : app, scope: scope, expires: expires)
        else { throw .claims }
        for name in ["iat", "nbf"] {
            guard let value = claims[name] else { continue }
            guard let start = date(value) else { throw .claims }
            guard start <= now + skew else { throw .notYet }
        }
        try checkTime(token, at: now)
        if let limits {
            guard limits.scopes.contains(scope), limits.app == nil || limits.app == token.app else { throw .issuer }
        }
        return token
    }

    /// Seconds, perhaps with a fraction, as milliseconds; nil outside the years that make sense.
    private static func date(_ value: JSONValue?) -> Milliseconds? {
        switch value {
        case .integer(let seconds): 0...Time.latest / 1000 ~= seconds ? seconds * 1000 : nil
        case .number(let number):
            0...Double(Time.latest / 1000) ~= number.value ? Milliseconds(number.value * 1000) : nil
        default: nil
        }
    }

    private static func object(_ bytes: [UInt8]?) -> JSONObject? {
        bytes.flatMap { try? JSONValue(parsing: $0, limits: JSONLimits(bytes: maximumLength, depth: 4)) }?.objectValue
    }
}
