import Entitlements
import Signatures
import Sync

/// Signs views, so that a client can believe its own disk (rules.md R11).
struct SnapshotSigner: Sendable {
    private let key: SigningKey
    private let encodedHeader: String

    /// The type of these JWS: keeps them apart from tokens, which the same key signs.
    static let type = "entitled-snapshot+jwt"

    init(_ key: SigningKey) {
        self.key = key
        let header: JSONValue = ["alg": "EdDSA", "typ": .string(Self.type), "kid": .string(key.kid)]
        encodedHeader = Base64URL.encode(Array(header.text.utf8))
    }

    /// The JWS of a view. Throws if signing fails, which it does not while there is memory.
    func sign(
        _ view: View, snapshot: [UInt8], cursor: String, installation: String?, at now: Milliseconds
    ) throws -> String {
        var writer = JSONWriter(capacity: snapshot.count + 512)
        writer.object { writer in
            writer.name("snapshot")
            writer.raw(snapshot)
            writer.member("cursor", cursor)
            writer.member("serverTime", now)
            writer.member("epoch", view.order.epoch)
            writer.member("activation", view.order.activation)
            writer.member("installation", installation)
        }
        return try CompactJWS.sign(encodedHeader: encodedHeader, payload: writer.bytes, by: key.privateKey)
    }
}
