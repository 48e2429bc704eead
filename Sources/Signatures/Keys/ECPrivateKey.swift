import COpenSSL

/// A private key on P-256 or P-384 that makes ES256 or ES384 signatures. Safe to share between threads.
public struct ECPrivateKey: JWSSigner {
    /// The key that checks what this one signs.
    public let publicKey: ECPublicKey
    let key: KeyHandle
    private let signing: PreparedOperation

    private init(_ key: KeyHandle) throws(SignatureError) {
        self.key = key
        signing = try PreparedOperation(key) { EVP_PKEY_sign_init($0) }
        publicKey = try ECPublicKey(der: key.publicDER())
    }

    /// A new key. Throws `library` if none can be made.
    public init(generating curve: EllipticCurve) throws(SignatureError) {
        let owned = try OpenSSL.attempt(.library, "no elliptic curve key can be made") {
            COpenSSL_generate_ec_key(curve.openSSLName)
        }
        try self.init(KeyHandle(owning: owned))
    }

    /// Reads unencrypted PKCS#8 PEM, the form of App Store Connect's `.p8` files. Throws `encoding` or `key`.
    public init(pem: String) throws(SignatureError) {
        try self.init(.privateKey(pem: pem))
    }

    /// Unencrypted PKCS#8 PEM: secret.
    public func pem() throws(SignatureError) -> String {
        try key.privatePEM()
    }

    /// Which curve the key is on.
    public var curve: EllipticCurve { publicKey.curve }

    /// `ES256` or `ES384`.
    public var algorithm: String { curve.jwsAlgorithm }

    /// The signature `r ‖ s` of the data. Throws `library`.
    public func signature(for data: some Collection<UInt8>) throws(SignatureError) -> [UInt8] {
        try OpenSSL.attempt(.library, "signing failed") {
            withBytes(data) { data in
                curve.withHash(of: data) { hash in
                    signing.use { context in
                        var der = [UInt8](repeating: 0, count: 2 * curve.size + 16)
                        var length = der.count
                        guard EVP_PKEY_sign(context, &der, &length, hash.baseAddress, hash.count) == 1 else {
                            return nil
                        }
                        return ECDSASignature.raw(der: der[..<length], curve: curve)
                    }
                }
            }
        }
    }
}
