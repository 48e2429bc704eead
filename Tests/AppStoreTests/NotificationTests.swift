import AppStore
import AppStoreSimulator
import Entitlements
import Signatures
import Testing

@Suite struct NotificationTests {
    private let authority: Authority

    init() throws {
        authority = try Authority()
    }

    @Test func innerObjectsOfAnotherAppOrEnvironment() throws {
        let other = try authority.notification(transaction: Authority.transaction.with("bundleId", "com.example.other"))
        let refusal = try authority.judge(other, as: .notification).refusal
        #expect(refusal?.code == .bundleIdMismatch && refusal?.inner == "signedTransactionInfo")
        let production = try authority.notification(
            renewalInfo: Authority.renewalInfo.with("environment", "Production"))
        #expect(try authority.judge(production, as: .notification).refusal?.inner == "signedRenewalInfo")
    }

    @Test func innerObjectsOfAnotherSignerAreRefused() throws {
        let stranger = try Authority().signing.sign(Authority.transaction)
        let payload = try authority.notification(data: ["signedTransactionInfo": .string(stranger)])
        let refusal = try authority.judge(payload, as: .notification).refusal
        #expect(refusal?.check == .chain && refusal?.inner == "signedTransactionInfo")
        let number = try authority.notification(data: ["signedRenewalInfo": 5])
        #expect(try authority.judge(number, as: .notification).refusal?.code == .fieldType)
    }

    @Test func anInnerObjectWithoutEnvironmentTakesTheOuterOne() throws {
        let payload = try authority.notification(transaction: Authority.transaction.with("environment", nil))
        let data = try authority.judge(payload, as: .notification).verified
        #expect(data?.inner(.transaction)?.environment == .sandbox)
    }

    @Test("genuine notifications of 2022 have no outer date") func theInnerDatesStandIn() throws {
        var plan = SigningAuthorityPlan()
        plan.leaf.notAfter = Authority.now + 1000
        let authority = try Authority(plan)
        let payload = try authority.notification(
            transaction: Authority.transaction.with("signedDate", .integer(Authority.now - 26)), signedDate: nil)
        let verdict = try authority.judge(payload, as: .notification, now: Authority.now + 1_000_000)
        #expect(verdict.verified?.judgedAt == Authority.now)
        #expect(verdict.verified?.signedDate == nil)
        #expect(verdict.verified?.inner(.transaction)?.judgedAt == Authority.now - 26)
    }

    @Test func otherContainers() throws {
        func judge(_ container: String, _ value: JSONObject) throws -> Verdict {
            let payload: JSONObject = ["notificationUUID": "u", "notificationType": "X", container: .object(value)]
            return try authority.judge(payload, as: .notification)
        }
        let app: JSONObject = ["bundleId": "com.example.app", "environment": "Sandbox"]
        #expect(try judge("summary", app).verified?.bundleId == "com.example.app")
        let token: JSONObject = ["bundleId": "com.example.app", "externalPurchaseId": "SANDBOX_1"]
        #expect(try judge("externalPurchaseToken", token).verified?.environment == .sandbox)
        // Unknown containers are kept; known ones must name the app.
        #expect(try judge("containerOf2030", [:]).verified?.bundleId == .some(nil))
        #expect(try judge("data", [:]).refusal?.code == .bundleIdMissing)
        #expect(try judge("data", app.with("bundleId", "com.example.other")).refusal?.code == .bundleIdMismatch)
    }

    @Test func aNotificationWithoutUUIDIsMalformed() throws {
        let payload = try authority.notification().with("notificationUUID", nil)
        #expect(try authority.judge(payload, as: .notification).refusal?.code == .fieldMissing)
    }
}
