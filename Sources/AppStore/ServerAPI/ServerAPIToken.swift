public import Entitlements
public import Signatures

/// An In-App Purchase key of App Store Connect. Secret.
public struct InAppPurchaseKey: Sendable {
    /// Apple's id of the key.
    public let keyId: String
    /// The team's issuer id.
    public let issuerId: String
    let privateKey: ECPrivateKey

    /// A key. `pem`: the `.p8` file's text. Throws `ServerAPIError` of code `key` if it is not an unencrypted key
    /// on P-256.
    public init(keyId: String, issuerId: String, pem: String) throws(ServerAPIError) {
        guard let key = try? ECPrivateKey(pem: pem), key.curve == .p256 else {
            throw ServerAPIError(
                .key,
                "the key is no unencrypted PKCS#8 key on the curve P-256, as App Store Connect gives it "
                    + "(BEGIN PRIVATE KEY)", .operatorMust)
        }
        self.keyId = keyId
        self.issuerId = issuerId
        privateKey = key
    }
}

/// Makes the tokens of calls, and keeps one while it is good. Time is passed in.
public struct ServerAPITokenMint: Sendable {
    private let key: InAppPurchaseKey
    private let bundleId: String
    private var kept: (token: String, renewAt: Milliseconds)?

    /// Apple allows 60 minutes; a shorter life forgives a clock that is a little fast at either end.
    static let life: Milliseconds = 20 * 60_000
    /// The clock here may be ahead of Apple's: a token issued in the future would be refused.
    private static let backdating: Milliseconds = 30_000
    private static let reserve: Milliseconds = 5 * 60_000

    /// A mint for an app.
    public init(key: InAppPurchaseKey, bundleId: String) {
        self.key = key
        self.bundleId = bundleId
    }

    /// A token that is good for some minutes yet. Throws `SignatureError`.
    public mutating func token(at now: Milliseconds) throws(SignatureError) -> String {
        // Also when the clock was set back: a token of the future is none.
        if let kept, now < kept.renewAt, now > kept.renewAt - Self.life { return kept.token }
        let issued = (now - Self.backdating) / 1000
        let header: JSONObject = ["alg": "ES256", "kid": .string(key.keyId), "typ": "JWT"]
        let payload: JSONObject = [
            "iss": .string(key.issuerId), "iat": .integer(issued), "exp": .integer(issued + Self.life / 1000),
            "aud": "appstoreconnect-v1", "bid": .string(bundleId),
        ]
        let token = try CompactJWS.sign(
            header: Array(JSONValue.object(header).text.utf8), payload: Array(JSONValue.object(payload).text.utf8),
            by: key.privateKey)
        kept = (token, issued * 1000 + Self.life - Self.reserve)
        return token
    }

    /// The App Store refused it: the next one is made anew.
    public mutating func discard() { kept = nil }
}
