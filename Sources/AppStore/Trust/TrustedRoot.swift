public import Entitlements
public import Signatures

/// A root certificate and the environments whose data it may vouch for. Keeping them together means that a root trusted
/// for a simulator can never vouch for a production purchase.
public struct TrustedRoot: Sendable, Hashable {
    /// The certificate.
    public let certificate: Certificate
    /// Whose data it may sign.
    public let environments: Set<Environment>

    /// A root for those environments only.
    public init(_ certificate: Certificate, for environments: Set<Environment>) {
        self.certificate = certificate
        self.environments = environments
    }

    /// Apple's root, pinned by its SHA-256, for Production and Sandbox.
    public static let apple: [TrustedRoot] =
        AppleRoot.certificate.map { [TrustedRoot($0, for: [.production, .sandbox])] } ?? []
}
