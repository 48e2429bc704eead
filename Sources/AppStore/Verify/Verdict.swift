public import Entitlements
public import Signatures

/// What verification says of a signed object.
public enum Verdict: Sendable {
    /// Apple, or a root trusted like it, signed this for the expected app.
    case verified(VerifiedData)
    /// It is not accepted.
    case refused(Refusal)

    /// What was verified, if it was.
    public var verified: VerifiedData? {
        if case .verified(let data) = self { data } else { nil }
    }

    /// Why not, if it was not.
    public var refusal: Refusal? {
        if case .refused(let refusal) = self { refusal } else { nil }
    }
}

/// A signed object whose signature, chain and identity have been checked, with all that is needed to store the verdict
/// and never judge again (rules.md R10).
public struct VerifiedData: Sendable {
    /// What it is.
    public let kind: SignedDataKind
    /// The text as it came.
    public let jws: CompactJWS
    /// The decoded payload bytes.
    public let payload: [UInt8]
    /// The payload as JSON, with every field.
    public let object: JSONObject
    /// The decoded signature.
    public let signature: [UInt8]
    /// SHA-256 of the header's base64url text: the identity of the chain.
    public let headerHash: SHA256.Digest
    /// The proved path; nil for unsigned data of Xcode, taken in development mode only.
    public let path: CertificatePath?
    /// When it says it was signed.
    public let signedDate: Milliseconds?
    /// The instant at which the certificates were judged.
    public let judgedAt: Milliseconds
    /// Its environment: its own word, or that of the notification around it.
    public let environment: Environment?
    /// The app it names; renewal info names none.
    public let bundleId: String?
    /// The verified objects inside a notification.
    public let inner: [VerifiedData]

    /// The verified object of that kind inside this notification.
    public func inner(_ kind: SignedDataKind) -> VerifiedData? {
        inner.first { $0.kind == kind }
    }
}
