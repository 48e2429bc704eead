import COpenSSL

/// The curves in Apple's certificates: P-256 signs data, P-384 signs certificates.
public enum EllipticCurve: Hashable, Sendable {
    /// NIST P-256, signed with SHA-256: ES256.
    case p256
    /// NIST P-384, signed with SHA-384: ES384.
    case p384

    /// Bytes of one coordinate, and of each half of a signature.
    public var size: Int {
        switch self {
        case .p256: 32
        case .p384: 48
        }
    }

    /// The name in a JWS header (RFC 7518).
    public var jwsAlgorithm: String {
        switch self {
        case .p256: "ES256"
        case .p384: "ES384"
        }
    }

    var openSSLName: String {
        switch self {
        case .p256: "prime256v1"
        case .p384: "secp384r1"
        }
    }

    var digest: MessageDigest {
        switch self {
        case .p256: .sha256
        case .p384: .sha384
        }
    }

    /// What stands before the point in a SubjectPublicKeyInfo of this curve.
    var publicKeyPrefix: [UInt8] {
        switch self {
        case .p256:
            [
                0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86,
                0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
            ]
        case .p384:
            [
                0x30, 0x76, 0x30, 0x10, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x05, 0x2b, 0x81,
                0x04, 0x00, 0x22, 0x03, 0x62, 0x00,
            ]
        }
    }

    init(of key: KeyHandle) throws(SignatureError) {
        var name = [CChar](repeating: 0, count: 64)
        var length = 0
        _ = EVP_PKEY_get_group_name(key.pointer, &name, name.count, &length)
        switch String(decoding: name.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self) {
        case EllipticCurve.p256.openSSLName: self = .p256
        case EllipticCurve.p384.openSSLName: self = .p384
        default: throw SignatureError(.key, "the key is not on the curve P-256 or P-384")
        }
    }

    /// Hashes with the curve's digest into the buffer and lends the hash.
    func withHash<Result>(
        of data: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Result?
    ) -> Result? {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: size) { hash in
            guard EVP_Digest(data.baseAddress, data.count, hash.baseAddress, nil, digest.pointer, nil) == 1 else {
                return nil
            }
            return body(UnsafeBufferPointer(hash))
        }
    }
}
