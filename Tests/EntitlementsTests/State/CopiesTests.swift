import Testing

@testable import Entitlements

/// Per key the newest copy is the fact, in whatever order they come (rules.md R1).
@Suite("Copies of one object (R1)")
struct CopiesTests {
    private func copy(signed: Milliseconds?, _ more: JSONObject = [:]) -> TransactionCopy {
        var payload: JSONObject = [
            "transactionId": "1", "originalTransactionId": "1", "productId": "pro.m",
            "type": "Auto-Renewable Subscription", "purchaseDate": 1_777_629_600_000,
            "expiresDate": 1_780_308_000_000,
        ]
        for member in more.members { payload[member.name] = member.value }
        payload["signedDate"] = signed.map(JSONValue.integer)
        // The ids are there, so there is a transaction.
        let transaction = Transaction(payload: payload)
        return TransactionCopy(transaction ?? Self.none, learnedAt: 0)
    }

    private static let none: Transaction = {
        guard let transaction = Transaction(payload: ["transactionId": "?", "originalTransactionId": "?"]) else {
            preconditionFailure("a payload with both ids is a transaction")
        }
        return transaction
    }()

    private func newest(_ copies: [TransactionCopy]) -> TransactionCopy? {
        var merged: [TransactionCopy] = []
        for copy in copies { merged.merge(copy) }
        return merged.newest
    }

    @Test("The greatest signing date wins in either order; a missing one is the oldest")
    func signingDate() {
        let (old, new) = (copy(signed: 10), copy(signed: 20, ["revocationDate": 1_777_700_000_000]))
        let undated = copy(signed: nil, ["isUpgraded": true])
        #expect(newest([old, new])?.content == new.content)
        #expect(newest([new, old])?.content == new.content)
        #expect(newest([undated, old])?.content == old.content)
        #expect(newest([old, undated])?.content == old.content)
    }

    @Test("Of one signing date a revocation wins, then an upgrade, then the later end, then the greater text")
    func ties() {
        let ranked = [
            copy(signed: 10, ["revocationDate": 1_777_700_000_000]), copy(signed: 10, ["isUpgraded": true]),
            copy(signed: 10, ["expiresDate": 1_780_308_000_001]), copy(signed: 10, ["storefront": "USA"]),
            copy(signed: 10, ["storefront": "DEU"]),
        ]
        for (index, winner) in ranked.enumerated() {
            for loser in ranked.dropFirst(index + 1) {
                #expect(newest([winner, loser])?.content == winner.content)
                #expect(newest([loser, winner])?.content == winner.content)
            }
        }
    }

    @Test("What differs only in signing says the same: its date is kept, and news only if it is the newest word again")
    func novelty() {
        let (first, again) = (copy(signed: 10), copy(signed: 30))
        let refund = copy(signed: 20, ["revocationDate": 1_777_700_000_000])
        #expect([first].novelty(of: again) == .date)
        #expect([first].novelty(of: first) == .nothing)
        #expect([first].novelty(of: refund) == .content)
        #expect([first, refund].novelty(of: again) == .newestAgain)
        #expect(newest([first, refund, again])?.content == first.content)
        #expect(newest([first, again, refund])?.content == first.content)
    }
}
