public import Entitlements
public import Signatures

/// Signs data in the shape of Apple's: an own root (P-384), an intermediate (P-384) and a leaf (P-256) with the
/// extensions that Apple's certificates carry. Whoever shall accept its data must trust its root explicitly.
public struct SigningAuthority: Sendable {
    /// The three certificates; the root is what a verifier must trust.
    public let root, intermediate, leaf: Certificate
    private let leafKey: ECPrivateKey
    /// The header is the same for everything signed, so it is encoded once.
    private let encodedHeader: String

    /// A new authority. Only the leaf's key is kept: nobody can issue another leaf under this root afterwards.
    /// - Throws: `SignatureError` if OpenSSL cannot make keys.
    public init(_ plan: SigningAuthorityPlan = SigningAuthorityPlan()) throws(SignatureError) {
        let rootKey = try ECPrivateKey(generating: .p384)
        let intermediateKey = try ECPrivateKey(generating: .p384)
        let leafKey = try ECPrivateKey(generating: .p256)
        let root = try plan.root.selfSigned(by: rootKey)
        let intermediate = try plan.intermediate.issued(
            for: intermediateKey.publicKey, by: .init(certificate: root, key: rootKey))
        let leaf = try plan.leaf.issued(
            for: leafKey.publicKey, by: .init(certificate: intermediate, key: intermediateKey))
        self.init(root: root, intermediate: intermediate, leaf: leaf, leafKey: leafKey)
    }

    init(root: Certificate, intermediate: Certificate, leaf: Certificate, leafKey: ECPrivateKey) {
        self.root = root
        self.intermediate = intermediate
        self.leaf = leaf
        self.leafKey = leafKey
        let chain = [leaf, intermediate, root].map { JSONValue.string(Base64.encode($0.der)) }
        let header: JSONValue = ["alg": .string(leafKey.algorithm), "x5c": .array(chain)]
        encodedHeader = Base64URL.encode(header.text.utf8)
    }

    /// The private key of the leaf as PEM: secret.
    func leafKeyPEM() throws(SignatureError) -> String {
        try leafKey.pem()
    }

    /// The compact JWS of a payload: a transaction, a renewal info, a notification, an app transaction.
    public func sign(_ payload: JSONObject) throws(SignatureError) -> String {
        try sign(Array(JSONValue.object(payload).text.utf8))
    }

    /// The compact JWS of payload bytes, which need not be JSON: tests sign rubbish, too.
    public func sign(_ payload: [UInt8]) throws(SignatureError) -> String {
        try CompactJWS.sign(encodedHeader: encodedHeader, payload: payload, by: leafKey)
    }

    /// The compact JWS of payload bytes under another header, for tests of what a verifier must refuse.
    public func sign(_ payload: [UInt8], header: JSONObject) throws(SignatureError) -> String {
        try CompactJWS.sign(header: Array(JSONValue.object(header).text.utf8), payload: payload, by: leafKey)
    }
}
