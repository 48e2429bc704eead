/// A private key that can sign a JWS.
public protocol JWSSigner: Sendable {
    /// The header's `alg`.
    var algorithm: String { get }
    /// The signature as a JWS carries it, before base64url.
    func signature(for data: some Collection<UInt8>) throws(SignatureError) -> [UInt8]
}

/// A public key that can check a JWS.
public protocol JWSVerifier: Sendable {
    /// The header's `alg`.
    var algorithm: String { get }
    /// Whether the signature, as a JWS carries it, is of the data.
    func isValid(signature: some Collection<UInt8>, for data: some Collection<UInt8>) -> Bool
}
