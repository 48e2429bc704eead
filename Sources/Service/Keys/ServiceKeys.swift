public import Entitlements
import Signatures

/// All keys of a service: those it signs with, those it accepts tokens of, and those of cursors.
public struct ServiceKeys: Sendable {
    /// The service's own, newest first. Exactly one is active.
    public internal(set) var signing: [SigningKey]
    /// Those of others that issue tokens.
    public internal(set) var verification: [VerificationKey]
    /// Newest first; one or two. The newest authenticates, both are accepted.
    public internal(set) var cursor: [CursorKey]

    init(signing: [SigningKey], verification: [VerificationKey], cursor: [CursorKey]) {
        self.signing = signing
        self.verification = verification
        self.cursor = cursor
    }

    /// New keys: one for signing, one for cursors. Throws if the system has no randomness to give.
    public static func generate(at now: Milliseconds) throws -> ServiceKeys {
        var keys = ServiceKeys(signing: [], verification: [], cursor: [])
        try keys.addSigningKey(at: now)
        try keys.addCursorKey(at: now)
        return keys
    }

    /// The key that signs.
    public var current: SigningKey? { signing.first { $0.status == .active } }

    /// Makes a new signing key; the present one retires, so that what it signed is still accepted.
    public mutating func addSigningKey(at now: Milliseconds) throws {
        for index in signing.indices { signing[index].status = .retired }
        signing.insert(SigningKey(privateKey: try Ed25519PrivateKey(), created: now, status: .active), at: 0)
    }

    /// Makes a new key for cursors and keeps the one before it. Older cursors then count as none.
    public mutating func addCursorKey(at now: Milliseconds) throws {
        let id = (cursor.first?.id ?? 0) &+ 1
        cursor.insert(CursorKey(id: id, created: now, secret: try randomBytes(32)), at: 0)
        cursor = Array(cursor.prefix(2))
    }

    /// Takes a key out: nothing that it signed is accepted any more. Throws for an unknown key and for the active one.
    public mutating func remove(kid: String) throws(ServiceError) {
        if let index = verification.firstIndex(where: { $0.kid == kid }) {
            verification.remove(at: index)
            return
        }
        guard let index = signing.firstIndex(where: { $0.kid == kid }) else {
            throw ServiceError(.keys, "there is no key \(kid): see `entitled keys list`")
        }
        guard signing[index].status == .retired else {
            throw ServiceError(.keys, "the key \(kid) is the one that signs: make a new one first, `entitled keys new`")
        }
        signing.remove(at: index)
    }

    /// The public keys as `/.well-known/jwks.json` publishes them (RFC 7517).
    public var jwks: JSONValue { ["keys": .array(signing.map(\.jwk))] }
}
