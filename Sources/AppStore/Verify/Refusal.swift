public import Signatures

/// Why a signed object is not accepted: the check that failed, where, and a sentence for people.
public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The checks, in the order they are made. `format`, `header` and `payload` fail for what is malformed, `signature`
    /// for what has been changed.
    public enum Check: String, Sendable, CaseIterable {
        /// Size, three parts, base64url.
        case format
        /// The payload is a JSON object.
        case payload
        /// The header is JSON, carries certificates and asks for no extension.
        case header
        /// ES256, nothing else.
        case algorithm
        /// Three certificates.
        case chainLength
        /// Each one is base64 of DER.
        case certificate
        /// A path to a root trusted for this environment, with Apple's extensions and a key that fits.
        case chain
        /// Every certificate is valid at the date that counts.
        case validity
        /// The leaf's key signed exactly this.
        case signature
        /// It is what it was taken for, with the fields that kind cannot be without.
        case kind
        /// It belongs to this app.
        case bundleId
        /// It belongs to this app's number (Production).
        case appAppleId
        /// It belongs to an environment served here.
        case environment
    }

    /// The stable codes.
    public enum Code: String, Sendable, CaseIterable {
        case tooLong, notThreeParts, notBase64URL, notJSON, fieldMissing, fieldType
        case headerExtension, chainMissing, algorithmNotES256, leafKeyNotP256, chainLength, certificateNotBase64,
            certificateNotDER
        case noTrustedPath, markerMissing, rootNotForEnvironment, notYetValid, expired
        case signatureLength, signatureMismatch, otherKind
        case bundleIdMissing, bundleIdMismatch, appAppleIdNotConfigured, appAppleIdMismatch
        case environmentMissing, environmentMismatch, developmentEnvironment
    }

    /// The check that failed.
    public let check: Check
    /// Which way it failed.
    public let code: Code
    /// The certificate it is about.
    public let certificate: CertificatePath.Position?
    /// The field it is about, in the header or payload; for an extension its object identifier.
    public let field: String?
    /// For an object inside a notification, the field that holds it.
    public internal(set) var inner: String?
    /// What is wrong, for people.
    public let message: String

    init(
        _ check: Check, _ code: Code, certificate: CertificatePath.Position? = nil, field: String? = nil,
        _ message: String
    ) {
        self.check = check
        self.code = code
        self.certificate = certificate
        self.field = field
        self.message = message
    }

    /// Whether the same data may be accepted later: nothing in it is wrong, this side is not set up for it.
    public var isRetryable: Bool { code == .appAppleIdNotConfigured }

    /// The word behind `rejected` in an answer (rules.md R0).
    public var reason: String {
        // A root that vouches for other environments only: the signature is good, the environment is not.
        if code == .rootNotForEnvironment { return "environment" }
        return switch check {
        case .format, .payload, .header, .kind: "malformed"
        case .bundleId, .appAppleId: "bundleId"
        case .environment: "environment"
        case .algorithm, .chainLength, .certificate, .chain, .validity, .signature: "signature"
        }
    }

    /// Check, code and sentence in one line.
    public var description: String {
        "\(check.rawValue)/\(code.rawValue)\(inner.map { " in \($0)" } ?? ""): \(message)"
    }
}
