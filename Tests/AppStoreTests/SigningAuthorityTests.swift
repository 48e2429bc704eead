import AppStore
import AppStoreSimulator
import Entitlements
import FoundationEssentials
import Signatures
import Testing

@Suite struct SigningAuthorityTests {
    @Test func keptAuthoritySignsUnderTheSameRoot() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "authority-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        let first = try SigningAuthority.kept(in: directory)
        let second = try SigningAuthority.kept(in: directory)
        #expect(first.root == second.root)
        let verifier = SignedDataVerifier(roots: [TrustedRoot(first.root, for: [.sandbox])])
        let text = try second.sign(Authority.transaction)
        #expect(verifier.verify(text, as: .transaction, for: Authority.app, now: 0).refusal == nil)
        let attributes = try FileManager.default.attributesOfItem(
            atPath: directory.appending(path: "leaf.key").path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func aDamagedDirectoryIsReported() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "authority-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        _ = try SigningAuthority.kept(in: directory)
        try FileManager.default.removeItem(at: directory.appending(path: "leaf.cer"))
        #expect(throws: SigningAuthority.FileError.self) { try SigningAuthority.kept(in: directory) }
    }

    @Test func certificatesHaveApplesShape() throws {
        let authority = try SigningAuthority()
        #expect(authority.leaf.hasExtension(SigningAuthorityPlan.leafMarker))
        #expect(authority.intermediate.hasExtension(SigningAuthorityPlan.intermediateMarker))
        #expect(try authority.leaf.publicKey().curve == .p256)
        #expect(try authority.root.publicKey().curve == .p384)
    }
}
