import Entitlements
import Signatures

/// The public keys that may sign snapshots, given by the app. A key that is not here is never believed, whoever serves it:
/// to rotate, ship an app with the old and the new key, then let the service sign with the new one.
public struct PinnedKeys: Sendable {
    private let named: [String: Ed25519PublicKey]
    private let unnamed: [Ed25519PublicKey]

    /// Keys by `kid`. Throws `invalidInput` when one is not 32 bytes of base64url.
    public init(_ keys: [String: String]) throws(ClientError) {
        var named: [String: Ed25519PublicKey] = [:]
        for (kid, text) in keys { named[kid] = try Self.key(text) }
        self.init(named: named, unnamed: [])
    }

    /// One key in base64url under whatever `kid` the service gives it. Throws `invalidInput`.
    public init(key text: String) throws(ClientError) {
        self.init(named: [:], unnamed: [try Self.key(text)])
    }

    /// The Ed25519 keys of a JWKS document. What was fetched over the network is no pin: for development, or for a
    /// document that ships with the app. Throws `invalidInput`.
    public init(jwks bytes: [UInt8]) throws(ClientError) {
        guard let keys = (try? JSONValue(parsing: bytes))?.objectValue?["keys"]?.arrayValue else {
            throw ClientError(.invalidInput, "not a JWKS document (RFC 7517): it has no member keys")
        }
        var named: [String: Ed25519PublicKey] = [:]
        for key in keys.compactMap(\.objectValue) where key["crv"] == "Ed25519" {
            guard let kid = key["kid"]?.stringValue, let text = key["x"]?.stringValue else { continue }
            named[kid] = try Self.key(text)
        }
        self.init(named: named, unnamed: [])
    }

    private init(named: [String: Ed25519PublicKey], unnamed: [Ed25519PublicKey]) {
        self.named = named
        self.unnamed = unnamed
    }

    /// The keys that may have signed under a `kid`.
    func candidates(for kid: String) -> [Ed25519PublicKey] { named[kid].map { [$0] } ?? unnamed }

    var isEmpty: Bool { named.isEmpty && unnamed.isEmpty }

    private static func key(_ text: String) throws(ClientError) -> Ed25519PublicKey {
        guard let bytes = Base64URL.decode(Array(text.utf8)), let key = try? Ed25519PublicKey(rawBytes: bytes) else {
            throw ClientError(.invalidInput, "a pinned key is 32 bytes in base64url without padding")
        }
        return key
    }
}
