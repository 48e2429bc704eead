import Entitlements
import Signatures
import TestSupport
import Testing

@testable import AppStore

/// The thirteen certificate chains of Apple's library tests, with the status that the library gives.
@Suite struct ChainCaseTests {
    @Test func everyCase() throws {
        let cases = try JSONValue(parsing: SharedFiles.text("vectors/apple-library/chains/x5c-cases.json")).arrayValue
        #expect(cases?.count == 13)
        for item in try #require(cases).compactMap(\.objectValue) {
            let name = try #require(item["name"]?.stringValue)
            let expected = try #require(item["expectedPythonStatus"]?.stringValue)
            #expect(try status(of: item) == (expected == "ok" ? "OK" : expected), "\(name)")
        }
    }

    private func status(of item: JSONObject) throws -> String {
        let rootText = try #require(item["trustedRoot"]?.stringValue)
        let root = try Certificate(der: #require(Base64.decode(rootText.utf8)))
        let seconds = try #require(item["effectiveDateSeconds"]?.integerValue)
        let header: JSONValue = ["alg": "ES256", "x5c": try #require(item["x5c"])]
        let jws = try CompactJWS("\(Base64URL.encode(header.text.utf8)).e30.AA".utf8)
        let proof = ChainProof(roots: [TrustedRoot(root, for: [.sandbox])], limits: SignedDataLimits())
        do throws(Refusal) {
            let chain = try proof.prove(jws, headerHash: SHA256.hash(jws.headerText))
            return chain.path.firstInvalid(at: seconds * 1000) == nil ? "OK" : "VERIFICATION_FAILURE"
        } catch {
            return Verdict.refused(error).appleStatus
        }
    }
}
