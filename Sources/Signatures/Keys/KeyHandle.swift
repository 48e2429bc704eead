import COpenSSL

/// Owns one `EVP_PKEY`.
///
/// `@unchecked Sendable`: the key is complete when this is made and never changed after; OpenSSL allows any number of
/// threads to use such a key at once (its own reference count and caches are atomic or locked).
final class KeyHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        EVP_PKEY_free(pointer)
    }

    /// Reads a SubjectPublicKeyInfo.
    static func publicKey(der: [UInt8]) throws(SignatureError) -> KeyHandle {
        let owned = try OpenSSL.attempt(.key, "not a public key (SubjectPublicKeyInfo)") {
            OpenSSL.parse(der, free: { EVP_PKEY_free($0) }, { d2i_PUBKEY(nil, $0, $1) })
        }
        return KeyHandle(owning: owned)
    }

    /// Reads an unencrypted PKCS#8 private key.
    static func privateKey(pem: String) throws(SignatureError) -> KeyHandle {
        let der = try PEM.decode(pem, label: "PRIVATE KEY")
        let owned = try OpenSSL.attempt(.key, "not a PKCS#8 private key") {
            OpenSSL.parse(der, free: { EVP_PKEY_free($0) }, { d2i_AutoPrivateKey(nil, $0, $1) })
        }
        return KeyHandle(owning: owned)
    }

    func publicDER() throws(SignatureError) -> [UInt8] {
        try OpenSSL.attempt(.key, "the public key cannot be written") {
            OpenSSL.der { i2d_PUBKEY(pointer, $0) }
        }
    }

    func privatePEM() throws(SignatureError) -> String {
        let der = try OpenSSL.attempt(.key, "the private key cannot be written") { () -> [UInt8]? in
            guard let info = EVP_PKEY2PKCS8(pointer) else { return nil }
            defer { PKCS8_PRIV_KEY_INFO_free(info) }
            return OpenSSL.der { i2d_PKCS8_PRIV_KEY_INFO(info, $0) }
        }
        return PEM.encode(der, label: "PRIVATE KEY")
    }
}

/// Owns an `EVP_PKEY_CTX` prepared for one operation, as a pattern: every use takes a copy, which costs less than
/// preparing anew (no look-up in the provider).
///
/// `@unchecked Sendable`: the pattern itself is only ever copied, and copying only reads it.
final class PreparedOperation: @unchecked Sendable {
    private let pattern: OpaquePointer

    init(_ key: KeyHandle, _ prepare: (OpaquePointer) -> Int32) throws(SignatureError) {
        pattern = try OpenSSL.attempt(.key, "the key does not allow the operation") {
            guard let context = EVP_PKEY_CTX_new(key.pointer, nil) else { return nil }
            if prepare(context) == 1 { return context }
            EVP_PKEY_CTX_free(context)
            return nil
        }
    }

    deinit {
        EVP_PKEY_CTX_free(pattern)
    }

    func use<Result>(_ body: (OpaquePointer) -> Result?) -> Result? {
        guard let context = EVP_PKEY_CTX_dup(pattern) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        return body(context)
    }
}
