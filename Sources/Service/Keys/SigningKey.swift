public import Entitlements
public import Signatures

/// A key that the service signs tokens and snapshots with.
public struct SigningKey: Sendable {
    /// Whether the key still signs.
    public enum Status: String, Sendable, CaseIterable {
        /// Signs; what it signed is accepted.
        case active
        /// Signs no more; what it signed is accepted until it ends.
        case retired
    }

    /// Names the key in the header of what it signs: its JWK thumbprint (RFC 7638).
    public let kid: String
    /// When it was made.
    public let created: Milliseconds
    /// Whether it still signs.
    public internal(set) var status: Status
    /// The secret.
    public let privateKey: Ed25519PrivateKey

    init(privateKey: Ed25519PrivateKey, created: Milliseconds, status: Status) {
        self.privateKey = privateKey
        self.created = created
        self.status = status
        kid = Self.thumbprint(privateKey.publicKey)
    }

    /// The JWK that `/.well-known/jwks.json` publishes (RFC 8037).
    public var jwk: JSONValue {
        [
            "kty": "OKP", "crv": "Ed25519", "use": "sig", "alg": "EdDSA", "kid": .string(kid),
            "x": .string(Base64URL.encode(privateKey.publicKey.rawBytes)),
        ]
    }

    /// RFC 7638: the hash of the required members, sorted by name.
    private static func thumbprint(_ key: Ed25519PublicKey) -> String {
        let members = #"{"crv":"Ed25519","kty":"OKP","x":"\#(Base64URL.encode(key.rawBytes))"}"#
        return Base64URL.encode(SHA256.hash(Array(members.utf8)).bytes)
    }
}

/// A public key whose owner may issue tokens besides the service, within limits.
public struct VerificationKey: Sendable {
    /// Names the key in the header of its tokens.
    public let kid: String
    /// The public key; P-256.
    public let publicKey: ECPublicKey
    /// The public key as its file has it.
    let pem: String
    /// The scopes its tokens may have.
    public let scopes: Set<Scope>
    /// The app its tokens may name; nil: any.
    public let app: String?
}

/// A secret under which cursors are authenticated.
public struct CursorKey: Sendable, Hashable {
    /// Names the key in a cursor.
    public let id: UInt8
    /// When it was made.
    public let created: Milliseconds
    /// 32 bytes.
    public let secret: [UInt8]

    /// A key read back or made.
    public init(id: UInt8, created: Milliseconds, secret: [UInt8]) {
        self.id = id
        self.created = created
        self.secret = secret
    }
}
