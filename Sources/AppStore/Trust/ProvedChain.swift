import Signatures

/// A certificate chain of a signed object that has been proved once: the path to a trusted root, Apple's extensions, and
/// the leaf's key. The dates are not part of the proof, each object is judged at its own.
struct ProvedChain: Sendable {
    /// SHA-256 of the base64url text of the header it came in.
    let headerHash: SHA256.Digest
    let path: CertificatePath
    let leafKey: ECPublicKey
}
