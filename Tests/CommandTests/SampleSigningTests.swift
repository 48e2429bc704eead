import AppStoreSimulator
import Entitlements
import Foundation
import Signatures
import Testing

@testable import entitled

@Suite struct SampleSigningTests {
    private let authority: SigningAuthority
    private let bought: Milliseconds = 1_780_000_000_000
    private let account = "b2b2b2b2-0000-4000-8000-00000000000b"

    init() throws { authority = try SigningAuthority() }

    private func sign(
        _ words: String..., account: String? = nil, refund: String? = nil, wantsBody: Bool = false, at now: Milliseconds
    ) throws -> String {
        try SampleSigning(words[...], account: account, refund: refund, wantsBody: wantsBody)
            .text(signedBy: authority, at: now)
    }

    private func fields(of jws: String) throws -> JSONObject {
        try #require(JSONValue(parsing: CompactJWS(jws.utf8).payload()).objectValue)
    }

    @Test(arguments: [false, true]) func aRefundIsANewerCopyOfItsPurchase(wantsBody: Bool) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "purchase-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let printed = try sign("pro.yearly", account: account, wantsBody: wantsBody, at: bought)
        try Data((printed + "\n").utf8).write(to: file)
        let body = try? JSONValue(parsing: Array(printed.utf8)).objectValue
        let purchase = try fields(of: body?["signedTransactions"]?.arrayValue?.first?.stringValue ?? printed)
        #expect(purchase["appAccountToken"] == .string(account))

        let refund = try fields(of: sign(refund: file.path, at: bought + 5))
        #expect(refund["revocationDate"] == .integer(bought + 5))
        #expect(refund["signedDate"] == .integer(bought + 5))
        let news: Set = ["signedDate", "revocationDate", "revocationReason"]
        #expect(refund.without(news) == purchase.without(news))
    }

    @Test func whatIsNoPurchaseIsNotRefunded() throws {
        #expect(throws: CommandFailure.self) { try sign(refund: "/does/not/exist", at: bought) }
        let file = FileManager.default.temporaryDirectory.appending(path: "rubbish-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        for rubbish in ["", "rubbish", "{}", #"{"signedTransactions":["a.b.c"]}"#, try authority.sign(["a": 1])] {
            try Data(rubbish.utf8).write(to: file)
            #expect(throws: CommandFailure.self) { try sign(refund: file.path, at: bought) }
        }
    }

    @Test func wrongUsage() {
        #expect(throws: CommandFailure.self) { try sign("gold", at: bought) }
        #expect(throws: Arguments.UsageError.self) { try sign("export", "coins.100", at: bought) }
        #expect(throws: Arguments.UsageError.self) { try sign("export", account: "me", at: bought) }
        #expect(throws: Arguments.UsageError.self) { try sign("export", refund: "purchase.json", at: bought) }
        var arguments = Arguments(["--body"])
        #expect(throws: Arguments.UsageError.self) { try Dev(&arguments) }
    }
}
