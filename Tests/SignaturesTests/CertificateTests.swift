import Signatures
import Testing

@Suite struct CertificateTests {
    private let marker = "1.2.840.113635.100.6.11.1"

    @Test func fieldsOfATemplate() throws {
        let chain = try TestChain(markers: [marker])
        let leaf = try Certificate(pem: chain.leaf.pem)
        #expect(leaf == chain.leaf)
        #expect(leaf.subject == "CN = Leaf, O = Tests, C = US")
        #expect(leaf.issuer == "CN = Intermediate, O = Tests, C = US")
        #expect(leaf.notBefore == 1_000_000_000_000 && leaf.notAfter == 2_000_000_000_000)
        #expect(leaf.serialNumber.count >= 2)
        #expect(leaf.hasExtension(marker))
        #expect(!chain.intermediate.hasExtension(marker))
        #expect(!leaf.hasExtension("not an identifier"))
        let data = Array("data".utf8)
        #expect(try leaf.publicKey().isValid(signature: chain.leafKey.signature(for: data), for: data))
        #expect(try chain.root.publicKey().curve == .p384)
    }

    @Test func validityIsHalfOpen() throws {
        let leaf = try TestChain().leaf
        #expect(!leaf.isValid(at: leaf.notBefore - 1))
        #expect(leaf.isValid(at: leaf.notBefore))
        #expect(leaf.isValid(at: leaf.notAfter - 1))
        #expect(!leaf.isValid(at: leaf.notAfter))
    }

    @Test func aPathToATrustedRoot() throws {
        let chain = try TestChain()
        let other = try TestChain()
        let path = try CertificatePath(
            leaf: chain.leaf, intermediate: chain.intermediate, trustedRoots: [other.root, chain.root])
        #expect(path.root == chain.root)
        #expect(path.certificates.map(\.position) == [.leaf, .intermediate, .root])
        #expect(path.firstInvalid(at: 1_500_000_000_000) == nil)
        #expect(path.firstInvalid(at: 2_000_000_000_000)?.position == .leaf)
    }

    @Test func noPath() throws {
        let chain = try TestChain()
        let other = try TestChain()
        // A root with the same name but another key, nothing trusted, places changed, one level left out.
        #expect(failure(chain.leaf, chain.intermediate, [other.root])?.position != nil)
        #expect(failure(chain.leaf, chain.intermediate, []) != nil)
        #expect(failure(chain.intermediate, chain.leaf, [chain.root]) != nil)
        #expect(failure(chain.leaf, other.intermediate, [chain.root]) != nil)
        #expect(failure(chain.intermediate, chain.intermediate, [chain.root])?.reason.isEmpty == false)
    }

    @Test func aLeafCannotIssue() throws {
        let chain = try TestChain()
        let key = try ECPrivateKey(generating: .p256)
        let template = CertificateTemplate(
            commonName: "Below", organization: "Tests", notBefore: 1_000_000_000_000, notAfter: 2_000_000_000_000)
        let directLeafKey = try ECPrivateKey(generating: .p256)
        let directLeaf = try template.issued(
            for: directLeafKey.publicKey, by: .init(certificate: chain.root, key: chain.rootKey))
        let below = try template.issued(for: key.publicKey, by: .init(certificate: directLeaf, key: directLeafKey))
        #expect(failure(below, directLeaf, [chain.root])?.position == .intermediate)
    }

    @Test(arguments: [[], [0x30], [0x30, 0x03, 0x02, 0x01, 0x00]] as [[UInt8]]) func notACertificate(der: [UInt8]) {
        #expect(code { try Certificate(der: der) } == .certificate)
    }

    @Test func bytesAfterACertificateAreRefused() throws {
        let leaf = try TestChain().leaf
        #expect(code { try Certificate(der: leaf.der + [0]) } == .certificate)
        #expect(code { try Certificate(der: leaf.der.dropLast()) } == .certificate)
    }

    private func failure(
        _ leaf: Certificate, _ intermediate: Certificate, _ roots: [Certificate]
    ) -> CertificatePath.Failure? {
        do {
            _ = try CertificatePath(leaf: leaf, intermediate: intermediate, trustedRoots: roots)
            return nil
        } catch {
            return error
        }
    }
}

/// A root, an intermediate and a leaf, valid from 2001 to 2033.
private struct TestChain {
    let rootKey, intermediateKey, leafKey: ECPrivateKey
    let root, intermediate, leaf: Certificate

    init(markers: [String] = []) throws {
        rootKey = try ECPrivateKey(generating: .p384)
        intermediateKey = try ECPrivateKey(generating: .p384)
        leafKey = try ECPrivateKey(generating: .p256)
        root = try Self.template("Root", pathLength: 1).selfSigned(by: rootKey)
        intermediate = try Self.template("Intermediate", pathLength: 0)
            .issued(for: intermediateKey.publicKey, by: .init(certificate: root, key: rootKey))
        leaf = try Self.template("Leaf", markers: markers)
            .issued(for: leafKey.publicKey, by: .init(certificate: intermediate, key: intermediateKey))
    }

    private static func template(
        _ name: String, pathLength: Int? = nil, markers: [String] = []
    ) -> CertificateTemplate {
        CertificateTemplate(
            commonName: name, organization: "Tests", notBefore: 1_000_000_000_000, notAfter: 2_000_000_000_000,
            pathLength: pathLength, markers: markers)
    }
}
