import AppStore
import AppStoreSimulator
import Entitlements
import Signatures
import Testing

/// One thing wrong at a time, each named by its check and code.
@Suite struct RefusalTests {
    private let authority: Authority

    init() throws {
        authority = try Authority()
    }

    @Test func theAuthoritysDataPasses() throws {
        #expect(try authority.judge(Authority.transaction).refusal == nil)
        #expect(try authority.judge(Authority.renewalInfo, as: .renewalInfo).refusal == nil)
        #expect(try authority.judge(authority.notification(), as: .notification).refusal == nil)
        let receipt: JSONObject = [
            "receiptType": "Sandbox", "bundleId": "com.example.app", "receiptCreationDate": .integer(Authority.now),
        ]
        #expect(try authority.judge(receipt, as: .appTransaction).verified?.signedDate == Authority.now)
    }

    // MARK: Certificates

    @Test func anotherRoot() throws {
        let text = try Authority().signing.sign(Authority.transaction)
        let refusal = authority.verifier.verify(text, as: .transaction, for: Authority.app, now: 0).refusal
        #expect(refusal?.code == .noTrustedPath)
        #expect(refusal?.reason == "signature")
    }

    @Test func aRootVouchesForItsEnvironmentsOnly() throws {
        let verifier = SignedDataVerifier(roots: [TrustedRoot(authority.signing.root, for: [.sandbox])])
        let app = AppIdentity(bundleId: "com.example.app", appAppleId: 1, environments: [.production, .sandbox])
        let text = try authority.signing.sign(Authority.transaction.with("environment", "Production"))
        let refusal = verifier.verify(text, as: .transaction, for: app, now: 0).refusal
        #expect(refusal?.code == .rootNotForEnvironment)
    }

    @Test func certificatesAreJudgedAtTheSigningDate() throws {
        var plan = SigningAuthorityPlan()
        plan.leaf.notBefore = Authority.now - 1000
        plan.leaf.notAfter = Authority.now + 1000
        let authority = try Authority(plan)
        let later = Authority.now + 1_000_000
        // The clock is past the leaf's end, the signing date is not.
        #expect(try authority.judge(Authority.transaction, now: later).verified?.judgedAt == Authority.now)
        let expired = Authority.transaction.with("signedDate", .integer(Authority.now + 1000))
        #expect(try authority.judge(expired).refusal?.code == .expired)
        #expect(try authority.judge(expired).refusal?.certificate == .leaf)
        let early = Authority.transaction.with("signedDate", .integer(Authority.now - 1001))
        #expect(try authority.judge(early).refusal?.code == .notYetValid)
        // Without a signing date, or when asked, the clock decides.
        let undated = Authority.transaction.with("signedDate", nil)
        #expect(try authority.judge(undated).verified?.judgedAt == Authority.now)
        #expect(try authority.judge(undated, now: later).refusal?.code == .expired)
        let text = try authority.signing.sign(Authority.transaction)
        let verdict = authority.verifier.verify(
            text, as: .transaction, expecting: .app(Authority.app), now: later, judging: .now)
        #expect(verdict.refusal?.code == .expired)
    }

    @Test func anExpiredIntermediateIsNamed() throws {
        var plan = SigningAuthorityPlan()
        plan.intermediate.notAfter = Authority.now
        #expect(try Authority(plan).judge(Authority.transaction).refusal?.certificate == .intermediate)
    }

    @Test func missingExtensions() throws {
        var plan = SigningAuthorityPlan()
        plan.leaf.markers = []
        let leaf = try Authority(plan).judge(Authority.transaction).refusal
        #expect(leaf?.code == .markerMissing && leaf?.certificate == .leaf)
        #expect(leaf?.field == SigningAuthorityPlan.leafMarker)
        plan = SigningAuthorityPlan()
        plan.intermediate.markers = [SigningAuthorityPlan.leafMarker]
        #expect(try Authority(plan).judge(Authority.transaction).refusal?.certificate == .intermediate)
    }

    // MARK: Signature

    @Test func everyChangedByteIsFound() throws {
        let parts = try authority.signing.sign(Authority.transaction).split(separator: ".").map(String.init)
        let payload = try #require(Base64URL.decode(parts[1].utf8))
        let changed = String(decoding: payload, as: UTF8.self).replacing("pro.m", with: "pro.y")
        #expect(judge(parts[0], Base64URL.encode(changed.utf8), parts[2])?.code == .signatureMismatch)
        for index in [0, 31, 32, 63] {
            var signature = try #require(Base64URL.decode(parts[2].utf8))
            signature[index] ^= 1
            #expect(judge(parts[0], parts[1], Base64URL.encode(signature))?.code == .signatureMismatch)
        }
        // Of another payload of the same authority.
        let other = try authority.signing.sign(Authority.renewalInfo).split(separator: ".").map(String.init)
        #expect(judge(parts[0], parts[1], other[2])?.check == .signature)
    }

    @Test func signaturesOfAnotherLength() throws {
        let parts = try authority.signing.sign(Authority.transaction).split(separator: ".").map(String.init)
        let signature = try #require(Base64URL.decode(parts[2].utf8))
        for wrong in [Array(signature.dropLast()), signature + [0], [0]] {
            #expect(judge(parts[0], parts[1], Base64URL.encode(wrong))?.code == .signatureLength)
        }
    }

    private func judge(_ parts: String...) -> Refusal? {
        authority.verifier.verify(
            parts.joined(separator: "."), as: .transaction, for: Authority.app, now: Authority.now
        ).refusal
    }

    // MARK: Identity

    @Test func otherAppsAndEnvironments() throws {
        let other = Authority.transaction.with("bundleId", "com.example.other")
        #expect(try authority.judge(other).refusal?.code == .bundleIdMismatch)
        #expect(try authority.judge(other).refusal?.reason == "bundleId")
        #expect(try authority.judge(Authority.transaction.with("bundleId", nil)).refusal?.code == .bundleIdMissing)
        #expect(try authority.judge(Authority.transaction.with("bundleId", 7)).refusal?.code == .bundleIdMissing)
        let production = Authority.transaction.with("environment", "Production")
        #expect(try authority.judge(production).refusal?.code == .environmentMismatch)
        #expect(try authority.judge(production).refusal?.reason == "environment")
        let absent = Authority.transaction.with("environment", .null)
        #expect(try authority.judge(absent).refusal?.code == .environmentMissing)
    }

    @Test func theAppsNumberCountsInProduction() throws {
        let payload = try authority.notification(
            transaction: Authority.transaction.with("environment", "Production"),
            renewalInfo: Authority.renewalInfo.with("environment", "Production"),
            data: ["environment": "Production", "appAppleId": 5])
        func judge(_ number: Int64?) throws -> Refusal? {
            let app = AppIdentity(bundleId: "com.example.app", appAppleId: number, environments: [.production])
            return try authority.judge(payload, as: .notification, for: app).refusal
        }
        #expect(try judge(5) == nil)
        #expect(try judge(6)?.code == .appAppleIdMismatch)
        #expect(try judge(6)?.isRetryable == false)
        #expect(try judge(nil)?.code == .appAppleIdNotConfigured)
        #expect(try judge(nil)?.isRetryable == true)
    }

    @Test func anAppNumberOfAnotherTypeIsRefused() throws {
        let app = AppIdentity(bundleId: "com.example.app", appAppleId: 5, environments: [.production, .sandbox])
        func judge(_ number: JSONValue, _ environment: String) throws -> Refusal? {
            let payload = try authority.notification(
                transaction: Authority.transaction.with("environment", .string(environment)),
                renewalInfo: Authority.renewalInfo.with("environment", .string(environment)),
                data: ["environment": .string(environment), "appAppleId": number])
            return try authority.judge(payload, as: .notification, for: app).refusal
        }
        for odd in ["5", [5], ["n": 5], true] as [JSONValue] {
            #expect(try judge(odd, "Production")?.code == .fieldType)
            #expect(try judge(odd, "Production")?.field == "appAppleId")
            #expect(try judge(odd, "Sandbox") == nil, "nobody looks at it there")
        }
        #expect(try judge(.null, "Production") == nil)
    }

    @Test func headersWithExtensionsAreRefused() throws {
        let chain = [authority.signing.leaf, authority.signing.intermediate, authority.signing.root].map {
            JSONValue.string(Base64.encode($0.der))
        }
        func judge(_ more: JSONObject) throws -> Refusal? {
            var header: JSONObject = ["alg": "ES256", "x5c": .array(chain)]
            for member in more.members { header[member.name] = member.value }
            let payload = Array(JSONValue.object(Authority.transaction).text.utf8)
            let text = try authority.signing.sign(payload, header: header)
            return authority.verifier.verify(text, as: .transaction, for: Authority.app, now: Authority.now).refusal
        }
        #expect(try judge([:]) == nil)
        #expect(try judge(["b64": true]) == nil)
        for odd in [["crit": ["exp"]], ["crit": []], ["b64": false, "crit": ["b64"]], ["b64": false]] as [JSONObject] {
            #expect(try judge(odd)?.code == .headerExtension)
            #expect(try judge(odd)?.reason == "malformed")
        }
    }

    @Test func kindsAreNotConfused() throws {
        #expect(try authority.judge(Authority.transaction, as: .renewalInfo).refusal?.code == .otherKind)
        #expect(try authority.judge(Authority.renewalInfo, as: .transaction).refusal?.code == .otherKind)
        #expect(try authority.judge(authority.notification(), as: .transaction).refusal?.code == .otherKind)
        #expect(try authority.judge(Authority.transaction, as: .appTransaction).refusal?.code == .otherKind)
        let disguised: JSONObject = ["bundleId": "com.example.app", "environment": "Sandbox"]
        #expect(try authority.judge(disguised, as: .renewalInfo).refusal?.code == .otherKind)
    }
}
