import AppStore
import Entitlements
import TestSupport
import Testing

@Suite struct PayloadFieldTests {
    @Test func everyModelOfApplesLibraryDecodes() throws {
        let names = try SharedFiles.names(in: "vectors/apple-library/models")
        #expect(names.count == 34)
        for name in names {
            let value = try JSONValue(parsing: SharedFiles.text("vectors/apple-library/models/\(name)"))
            #expect(value.objectValue != nil, "\(name)")
        }
    }

    @Test(arguments: [
        ("signedTransaction.json", SignedDataKind.transaction), ("signedTransactionWithRevocation.json", .transaction),
        ("signedRenewalInfo.json", .renewalInfo), ("signedNotification.json", .notification),
        ("signedConsumptionRequestNotification.json", .notification),
        ("signedExternalPurchaseTokenNotification.json", .notification),
        ("signedExternalPurchaseTokenSandboxNotification.json", .notification),
        ("signedSummaryNotification.json", .notification), ("signedRescindConsentNotification.json", .notification),
        ("appTransaction.json", .appTransaction),
    ])
    func modelsHaveDocumentedFieldsOnly(name: String, kind: SignedDataKind) throws {
        let value = try JSONValue(parsing: SharedFiles.text("vectors/apple-library/models/\(name)"))
        #expect(try PayloadField.notes(on: #require(value.objectValue), as: kind) == [])
    }

    @Test func genuinePayloadsHaveDocumentedFieldsOnly() throws {
        for vector in Vector.all where vector.root == "G3" {
            let (verifier, app) = try vector.setting
            let data = try #require(
                verifier.verify(vector.text(), as: vector.kind, for: app, now: listTime).verified)
            #expect(PayloadField.notes(on: data.object, as: vector.kind) == [])
        }
    }

    @Test func whatDiffersIsNamed() {
        let payload: JSONObject = [
            "transactionId": 2_000_000, "purchaseDate": "2026", "price": 1990, "newField": true, "expiresDate": .null,
            "commitmentInfo": ["billingPeriodNumber": "1"],
        ]
        #expect(
            PayloadField.notes(on: payload, as: .transaction) == [
                "transactionId: is an integer, documented as string; not used",
                "purchaseDate: is a string, documented as date; not used",
                "newField: not documented; kept, without effect",
                "commitmentInfo.billingPeriodNumber: is a string, documented as integer; not used",
            ])
    }

    @Test func timesForPeople() {
        #expect(Timestamp.text(1_780_308_010_000) == "2026-06-01T10:00:10.000Z")
        #expect(Timestamp.text(1_697_680_122_257) == "2023-10-19T01:48:42.257Z")
        #expect(Timestamp.text(-1) == "1969-12-31T23:59:59.999Z")
    }
}
