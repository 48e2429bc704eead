public import Entitlements
public import Signatures

/// What the certificates of a signing authority say. The defaults have Apple's shape; tests change one thing at a time.
public struct SigningAuthorityPlan: Sendable {
    /// Apple's extension on the intermediate (signed-data.md section 5).
    public static let intermediateMarker = "1.2.840.113635.100.6.2.1"
    /// Apple's extension on the leaf.
    public static let leafMarker = "1.2.840.113635.100.6.11.1"

    /// The self-signed root.
    public var root: CertificateTemplate
    /// Issued by the root.
    public var intermediate: CertificateTemplate
    /// Signs the data.
    public var leaf: CertificateTemplate

    /// Certificates of Apple's shape, valid from 2000 to 2100 unless said otherwise.
    public init(
        organization: String = "Entitled App Store Simulator", notBefore: Milliseconds = Time.plausible.lowerBound,
        notAfter: Milliseconds = Time.plausible.upperBound
    ) {
        func template(_ name: String, pathLength: Int?, _ markers: [String]) -> CertificateTemplate {
            CertificateTemplate(
                commonName: name, organization: organization, notBefore: notBefore, notAfter: notAfter,
                pathLength: pathLength, markers: markers)
        }
        root = template("Simulator Root", pathLength: 1, [])
        intermediate = template("Simulator Intermediate", pathLength: 0, [Self.intermediateMarker])
        leaf = template("Simulator Signing", pathLength: nil, [Self.leafMarker])
    }
}
