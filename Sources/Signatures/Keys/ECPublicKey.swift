import COpenSSL

/// A public key on P-256 or P-384 that checks ES256 or ES384 signatures. Safe to share between threads.
public struct ECPublicKey: JWSVerifier {
    /// Which curve the key is on.
    public let curve: EllipticCurve
    let key: KeyHandle
    private let verification: PreparedOperation

    init(_ key: KeyHandle) throws(SignatureError) {
        curve = try EllipticCurve(of: key)
        verification = try PreparedOperation(key) { EVP_PKEY_verify_init($0) }
        self.key = key
    }

    /// Reads a DER SubjectPublicKeyInfo. Throws `key`.
    public init(der: [UInt8]) throws(SignatureError) {
        try self.init(.publicKey(der: der))
    }

    /// Reads a PEM block `PUBLIC KEY`. Throws `encoding` or `key`.
    public init(pem: String) throws(SignatureError) {
        try self.init(der: PEM.decode(pem, label: "PUBLIC KEY"))
    }

    /// A key from its coordinates, as a JWK gives them (RFC 7518 section 6.2). Throws `key`.
    public init(curve: EllipticCurve, x: [UInt8], y: [UInt8]) throws(SignatureError) {
        guard x.count == curve.size, y.count == curve.size else {
            throw SignatureError(.key, "a coordinate of this curve is \(curve.size) bytes")
        }
        try self.init(der: curve.publicKeyPrefix + [0x04] + x + y)
    }

    /// The DER SubjectPublicKeyInfo.
    public func der() throws(SignatureError) -> [UInt8] {
        try key.publicDER()
    }

    /// The coordinates, each of the curve's size, as a JWK wants them.
    public func coordinates() throws(SignatureError) -> (x: [UInt8], y: [UInt8]) {
        let point = try der().suffix(2 * curve.size)
        return (Array(point.prefix(curve.size)), Array(point.suffix(curve.size)))
    }

    /// `ES256` or `ES384`.
    public var algorithm: String { curve.jwsAlgorithm }

    /// Whether this key's owner signed the data. The signature is `r ‖ s`; any other length is not valid.
    public func isValid(signature: some Collection<UInt8>, for data: some Collection<UInt8>) -> Bool {
        guard let der = ECDSASignature.der(raw: Array(signature), curve: curve) else { return false }
        ERR_clear_error()
        let isValid = withBytes(data) { data in
            curve.withHash(of: data) { hash in
                verification.use { context in
                    EVP_PKEY_verify(context, der, der.count, hash.baseAddress, hash.count) == 1
                }
            }
        }
        return isValid ?? false
    }
}
