import Entitlements
import Foundation
public import Signatures

/// An In-App Purchase key: what App Store Connect gives a developer to call the Server API with (server-api.md section 2).
public struct ServerAPIKey: Sendable {
    /// Ten characters, as Apple's.
    public let keyId: String
    /// A UUID.
    public let issuerId: String
    /// Signs tokens: P-256.
    public let privateKey: ECPrivateKey

    /// A new key. Throws `SignatureError`.
    public init() throws(SignatureError) {
        let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
        keyId = String(try randomBytes(10).map { letters[Int($0) % letters.count] })
        issuerId = UUID().uuidString.lowercased()
        privateKey = try ECPrivateKey(generating: .p256)
    }

    /// A key that was made before. Throws `SignatureError` if the text is no key.
    public init(keyId: String, issuerId: String, pem: String) throws(SignatureError) {
        self.keyId = keyId
        self.issuerId = issuerId
        privateKey = try ECPrivateKey(pem: pem)
    }

    /// `{"keyId":…,"issuerId":…,"privateKey":"PEM"}`: secret, of a store that exists for tests only.
    func json() throws(SignatureError) -> JSONObject {
        ["keyId": .string(keyId), "issuerId": .string(issuerId), "privateKey": .string(try privateKey.pem())]
    }
}

/// Checks the bearer tokens of the Server API. Whatever is wrong, the answer is 401 without a word, as Apple's.
struct APITokenCheck: Sendable {
    private let key: ServerAPIKey
    private let bundleId: String

    private static let audience = "appstoreconnect-v1"
    private static let longestLife: Int64 = 3600
    /// How far the clocks may be apart, in seconds.
    private static let skew: Int64 = 60

    init(_ key: ServerAPIKey, bundleId: String) {
        self.key = key
        self.bundleId = bundleId
    }

    /// Whether the header's value is a token that is good at an instant of the machine's clock.
    func admits(_ authorization: String?, at now: Milliseconds) -> Bool {
        guard let authorization, authorization.hasPrefix("Bearer "), authorization.utf8.count <= 4096,
            let jws = try? CompactJWS(Array(authorization.utf8.dropFirst(7))),
            let header = object(try? jws.header()), let claims = object(try? jws.payload()),
            let signature = try? jws.signature()
        else { return false }
        return header["alg"] == "ES256" && header["kid"]?.stringValue == key.keyId && header["typ"] == "JWT"
            && key.privateKey.publicKey.isValid(signature: signature, for: jws.signingInput)
            && claims["iss"]?.stringValue == key.issuerId && claims["bid"]?.stringValue == bundleId
            && claims["aud"]?.stringValue == Self.audience && isInTime(claims, now: now / 1000)
    }

    private func isInTime(_ claims: JSONObject, now: Int64) -> Bool {
        guard let expires = claims["exp"]?.integerValue, expires > now - Self.skew else { return false }
        // Apple's libraries send no iat; then now stands for it.
        let issued = claims["iat"]?.integerValue ?? now
        return issued <= now + Self.skew && expires <= issued + Self.longestLife
            && expires <= now + Self.longestLife + Self.skew
    }

    private func object(_ bytes: [UInt8]?) -> JSONObject? {
        bytes.flatMap { try? JSONValue(parsing: $0, limits: JSONLimits(bytes: 4096, depth: 4)) }?.objectValue
    }
}
