import COpenSSL

/// An Ed25519 public key (RFC 8032). Safe to share between threads.
public struct Ed25519PublicKey: JWSVerifier {
    private let key: KeyHandle
    /// The 32 bytes of the key.
    public let rawBytes: [UInt8]

    /// A key from its 32 bytes. Throws `key`.
    public init(rawBytes: [UInt8]) throws(SignatureError) {
        let owned = try OpenSSL.attempt(.key, "not an Ed25519 public key: it must be 32 bytes") {
            EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, rawBytes, rawBytes.count)
        }
        key = KeyHandle(owning: owned)
        self.rawBytes = rawBytes
    }

    /// `EdDSA`.
    public var algorithm: String { "EdDSA" }

    /// Whether this key's owner signed the data. A signature is 64 bytes; any other length is not valid.
    public func isValid(signature: some Collection<UInt8>, for data: some Collection<UInt8>) -> Bool {
        guard signature.count == 64, let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        ERR_clear_error()
        guard EVP_DigestVerifyInit(context, nil, nil, nil, key.pointer) == 1 else { return false }
        return withBytes(data) { data in
            withBytes(signature) { signature in
                EVP_DigestVerify(context, signature.baseAddress, signature.count, data.baseAddress, data.count) == 1
            }
        }
    }
}

/// An Ed25519 private key (RFC 8032). Safe to share between threads.
public struct Ed25519PrivateKey: JWSSigner {
    private let key: KeyHandle
    /// The key that checks what this one signs.
    public let publicKey: Ed25519PublicKey

    private init(_ key: KeyHandle) throws(SignatureError) {
        self.key = key
        var bytes = [UInt8](repeating: 0, count: 32)
        var length = bytes.count
        try OpenSSL.require(.key, "the key is not an Ed25519 key") {
            EVP_PKEY_get_raw_public_key(key.pointer, &bytes, &length)
        }
        guard EVP_PKEY_get_id(key.pointer) == EVP_PKEY_ED25519 else {
            throw SignatureError(.key, "the key is not an Ed25519 key")
        }
        publicKey = try Ed25519PublicKey(rawBytes: bytes)
    }

    /// A new key. Throws `library` if none can be made.
    public init() throws(SignatureError) {
        let owned = try OpenSSL.attempt(.library, "no Ed25519 key can be made") { COpenSSL_generate_ed25519_key() }
        try self.init(KeyHandle(owning: owned))
    }

    /// Reads unencrypted PKCS#8 PEM. Throws `encoding` or `key`.
    public init(pem: String) throws(SignatureError) {
        try self.init(.privateKey(pem: pem))
    }

    /// Unencrypted PKCS#8 PEM: secret.
    public func pem() throws(SignatureError) -> String {
        try key.privatePEM()
    }

    /// `EdDSA`.
    public var algorithm: String { "EdDSA" }

    /// The 64 bytes of the signature. Throws `library`.
    public func signature(for data: some Collection<UInt8>) throws(SignatureError) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: 64)
        try OpenSSL.require(.library, "signing failed") {
            guard let context = EVP_MD_CTX_new() else { return 0 }
            defer { EVP_MD_CTX_free(context) }
            guard EVP_DigestSignInit(context, nil, nil, nil, key.pointer) == 1 else { return 0 }
            var length = signature.count
            return withBytes(data) { EVP_DigestSign(context, &signature, &length, $0.baseAddress, $0.count) }
        }
        return signature
    }
}
