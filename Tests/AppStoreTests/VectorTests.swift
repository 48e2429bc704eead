import AppStore
import Entitlements
import Signatures
import TestSupport
import Testing

@Suite struct VectorTests {
    @Test func theListIsThere() throws {
        _ = try SharedFiles.text("vectors/SOURCES.md")
        #expect(Vector.all.count == 50)
    }

    @Test(arguments: Vector.all) func verdictOfTheList(vector: Vector) throws {
        let (verifier, app) = try vector.setting
        let verdict = try verifier.verify(vector.text(), as: vector.kind, for: app, now: listTime)
        #expect(verdict.appleStatus == vector.verdict, "\(verdict.refusal?.description ?? "verified")")
    }

    @Test(arguments: Vector.all.filter { $0.root == "none" }, [Environment.sandbox, .production, .localTesting])
    func xcodeDataIsRefusedElsewhere(vector: Vector, environment: Environment) throws {
        let (_, app) = try vector.setting
        let elsewhere = AppIdentity(bundleId: app.bundleId, appAppleId: 1, environments: [environment])
        let ordinary = SignedDataVerifier()
        let verdict = try ordinary.verify(vector.text(), as: vector.kind, for: elsewhere, now: listTime)
        #expect(verdict.refusal?.code == .chainLength)
        // Not even a server in development mode takes it where Xcode is not served.
        let development = SignedDataVerifier(takesDevelopmentData: true)
        #expect(try development.verify(vector.text(), as: vector.kind, for: elsewhere, now: listTime).verified == nil)
    }

    @Test func innerObjectsAreVerifiedToo() throws {
        let text = try Vector.text("apple-signed-sandbox/session/14-REFUND.jws")
        let data = try #require(
            SignedDataVerifier().verify(text, as: .notification, for: Vector.session, now: listTime).verified)
        #expect(data.inner.map(\.kind) == [.transaction, .renewalInfo])
        let inner = try Vector.text("apple-signed-sandbox/session/inner/14-REFUND.transaction.jws")
        #expect(data.inner(.transaction)?.jws.text == Array(inner.utf8))
        #expect(data.path?.root.fingerprint == TrustedRoot.apple.first?.certificate.fingerprint)
        #expect(data.judgedAt == data.signedDate)
    }

    @Test("Apple's root is the one Apple publishes") func appleRoot() throws {
        let published = try SharedFiles.bytes("vectors/roots/AppleRootCA-G3.cer")
        #expect(TrustedRoot.apple.map(\.certificate.der) == [published])
        #expect(TrustedRoot.apple.first?.environments == [.production, .sandbox])
    }

    // MARK: "Extra verdicts" of the list

    @Test func theTestRootDoesNotVouchForGenuineData() throws {
        let root = try Certificate(der: SharedFiles.bytes("vectors/roots/apple-library-testCA.der"))
        let verdict = try judge(
            refund, .notification, Vector.session, SignedDataVerifier(roots: [TrustedRoot(root, for: [.sandbox])]))
        #expect(verdict.appleStatus == "VERIFICATION_FAILURE")
        #expect(verdict.refusal?.check == .chain)
    }

    @Test(arguments: [
        ("com.loki-project.loki-messenger", Int64(1), Environment.sandbox, "OK"),
        ("com.example.other", 1_470_168_868, .sandbox, "INVALID_APP_IDENTIFIER"),
        ("com.loki-project.loki-messenger", 1_470_168_868, .production, "INVALID_ENVIRONMENT"),
        ("com.loki-project.loki-messenger", 1, .production, "INVALID_APP_IDENTIFIER"),
        ("com.loki-project.loki-messenger", 1_470_168_868, .xcode, "INVALID_ENVIRONMENT"),
    ])
    func otherIdentities(bundleId: String, number: Int64, environment: Environment, status: String) throws {
        let app = AppIdentity(bundleId: bundleId, appAppleId: number, environments: [environment])
        let verifier = SignedDataVerifier(takesDevelopmentData: environment == .xcode)
        #expect(try judge(refund, .notification, app, verifier).appleStatus == status)
    }

    @Test func otherKinds() throws {
        #expect(try judge(refund, .transaction, Vector.session).appleStatus == "INVALID_APP_IDENTIFIER")
        #expect(try judge(refundedTransaction, .notification, Vector.session).appleStatus == "INVALID_APP_IDENTIFIER")
        // Apple's libraries accept this one; here it must not pass, or anybody could post the purchases of any app.
        #expect(try judge(refundedTransaction, .renewalInfo, Vector.session).refusal?.code == .otherKind)
    }

    @Test func handMadeXcodeDataPassesInDevelopmentModeOnly() throws {
        let payload = #"{"environment":"Xcode","bundleId":"com.example","transactionId":"0"}"#
        let text = "e30.\(Base64URL.encode(payload.utf8)).\(Base64URL.encode([UInt8](repeating: 1, count: 64)))"
        let app = AppIdentity(bundleId: "com.example", appAppleId: nil, environments: [.xcode])
        #expect(SignedDataVerifier().verify(text, as: .transaction, for: app, now: 0).verified == nil)
        let development = SignedDataVerifier(takesDevelopmentData: true)
        let data = development.verify(text, as: .transaction, for: app, now: 0).verified
        #expect(data?.environment == .xcode && data?.path == nil)
    }

    private let refund = "apple-signed-sandbox/session/14-REFUND.jws"
    private let refundedTransaction = "apple-signed-sandbox/session/inner/14-REFUND.transaction.jws"

    private func judge(
        _ file: String, _ kind: SignedDataKind, _ app: AppIdentity,
        _ verifier: SignedDataVerifier = SignedDataVerifier()
    ) throws -> Verdict {
        try verifier.verify(Vector.text(file), as: kind, for: app, now: listTime)
    }
}
