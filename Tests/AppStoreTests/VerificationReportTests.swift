import AppStore
import AppStoreSimulator
import Entitlements
import Signatures
import Testing

@Suite struct VerificationReportTests {
    private let authority: Authority

    init() throws {
        authority = try Authority()
    }

    private func report(
        _ text: String, as kind: SignedDataKind? = nil, expecting expected: ExpectedIdentity = .app(Authority.app)
    ) -> VerificationReport {
        VerificationReport(text, as: kind, by: authority.verifier, expecting: expected, now: Authority.now)
    }

    @Test func everythingThatIsVerifiedIsShown() throws {
        let report = try report(authority.signing.sign(authority.notification()))
        #expect(report.isVerified && report.kind == .notification)
        #expect(report.checks.filter { $0.outcome == .passed }.count == 12)
        #expect(report.inner.map(\.field) == ["signedTransactionInfo", "signedRenewalInfo"])
        let certificates = report.json["certificates"]?.arrayValue?.compactMap { $0.objectValue?["place"]?.stringValue }
        #expect(certificates == ["leaf", "intermediate", "root"])
        #expect(report.json["payload"]?.objectValue?["notificationType"] == "DID_RENEW")
        #expect(report.text.contains("Simulator Signing"))
        #expect(report.text.contains("data.bundleId"))
    }

    @Test func theFailedCheckIsNamedAndTheRestNotReached() throws {
        let report = try report(authority.signing.sign(Authority.transaction.with("bundleId", "com.example.other")))
        #expect(!report.isVerified)
        let outcomes = Dictionary(uniqueKeysWithValues: report.checks.map { ($0.check, $0.outcome) })
        #expect(outcomes[.signature] == .passed)
        #expect(outcomes[.bundleId] == .failed)
        #expect(outcomes[.environment] == .notReached)
        #expect(report.json["refusal"]?.objectValue?["code"] == "bundleIdMismatch")
        #expect(report.text.contains("REFUSED"))
    }

    @Test func aFailureInsideIsShownWhereItIs() throws {
        let stranger = try Authority().signing.sign(Authority.transaction)
        let payload = try authority.notification(data: ["signedTransactionInfo": .string(stranger)])
        let report = try report(authority.signing.sign(payload))
        #expect(!report.isVerified)
        #expect(report.checks.allSatisfy { $0.outcome != .failed })
        #expect(report.inner.map(\.field) == ["signedTransactionInfo"])
        #expect(report.inner.first?.checks.first { $0.outcome == .failed }?.check == .chain)
    }

    @Test func kindsAreGuessedFromTheFields() throws {
        #expect(try report(authority.signing.sign(Authority.renewalInfo)).kind == .renewalInfo)
        #expect(try report(authority.signing.sign(["environment": "Sandbox"])).kind == .renewalInfo)
        #expect(try report(authority.signing.sign(["bundleId": "b"])).kind == .transaction)
        #expect(report("rubbish").kind == .transaction)
    }

    @Test func whatIsLeftOpenIsNotCompared() throws {
        let report = try report(authority.signing.sign(Authority.transaction), expecting: .partial())
        #expect(report.isVerified)
        #expect(
            report.checks.filter { $0.outcome == .notCompared }.map(\.check) == [.bundleId, .appAppleId, .environment])
    }
}
