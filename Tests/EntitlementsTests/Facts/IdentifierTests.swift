import Entitlements
import Foundation
import Testing

@Suite struct IdentifierTests {
    /// Foundation's parser on Linux takes these for UUIDs; rules.md R7 says that they name nobody.
    @Test(arguments: [
        "+1a1a1a1-0000-4000-8000-00000000000a", "-1a1a1a1-0000-4000-8000-00000000000a",
        "0xa1a1a1-0000-4000-8000-00000000000a", " 1a1a1a1-0000-4000-8000-00000000000a",
        "a1a1a1a1-0000-4000-8000-0000000000+a", "a1a1a1a1000040008000-00000000000a", "",
        "00000000-0000-0000-0000-000000000000",
    ])
    func aTextThatIsNoUUIDNamesNoAccount(text: String) { #expect(AccountID(text) == nil) }

    @Test func upperAndLowerCaseNameTheSameAccount() {
        let lower = AccountID("a1a1a1a1-0000-4000-8000-00000000000a")
        #expect(lower != nil && lower == AccountID("A1A1A1A1-0000-4000-8000-00000000000A"))
    }

    @Test func aTextIsReadAsFoundationReadsIt() {
        for _ in 0..<200 {
            let uuid = UUID()
            #expect(AccountID(uuid.uuidString)?.uuid == uuid)
            #expect(AccountID(AccountID(uuid).description)?.uuid == uuid)
        }
    }

    /// What identifies must fit an index: such an object is malformed (rules.md R0).
    @Test(arguments: ["", "x\u{0}1", "a\nb", String(repeating: "9", count: 65)])
    func anIdThatCannotBeOneIsMalformed(id: String) {
        let good: JSONObject = ["transactionId": "1", "originalTransactionId": "1"]
        #expect(Transaction(payload: good) != nil)
        for name in ["transactionId", "originalTransactionId"] {
            var payload = good
            payload[name] = .string(id)
            #expect(Transaction(payload: payload) == nil)
        }
        #expect(RenewalInfo(payload: ["originalTransactionId": .string(id)]) == nil)
    }
}
