import CaseFiles
import Entitlements
import Testing

/// The questions with which the project began: one of each kind on day 30 and day 500, and what takes access away.
@Suite("Model questions")
struct ModelQuestionTests {
    private func snapshot(_ name: String, _ account: String, _ at: String) throws -> Snapshot {
        try ExplainedCase(name).explanation(account, at: at).snapshot
    }

    /// Why an entitlement's describing grantor ended, and who said so.
    private func end(
        _ name: String, _ account: String, _ at: String, of entitlement: String
    ) throws -> (cause: Candidate.End.Cause, toldBy: String?) {
        let explanation = try ExplainedCase(name).explanation(account, at: at)
        let reasons = try #require(explanation.entitlements.first { $0.id == entitlement })
        #expect(reasons.entry?.isActive == false)
        let end = try #require(reasons.candidates.first?.ends.first { $0.isDecisive })
        return (end.cause, end.toldBy?.notificationType)
    }

    @Test("Day 30: the annual period and the lifetime purchase; coins are a balance")
    func day30() throws {
        let answer = try snapshot("S1", "A1", "2026-01-31T00:00:00.000Z")
        #expect(answer.active == ["annual", "lifetime"])
        #expect(answer.balances == ["coins": 100])
    }

    @Test("Day 500: only what is for ever")
    func day500() throws {
        let answer = try snapshot("S1", "A1", "2027-05-16T00:00:00.000Z")
        #expect(answer.active == ["lifetime"])
        #expect(answer.nextChangeAt == nil)
    }

    @Test("What is pending (Ask to Buy) grants nothing until it is approved")
    func pending() throws {
        let explained = try ExplainedCase("C73")
        let first = try #require(explained.serverCase.steps.map(\.at).min())
        let before = explained.target.world.snapshot(
            account: try #require(explained.serverCase.accounts["A1"]), environment: .production, at: first,
            knownAt: first - 1)
        #expect(before.entitlements.isEmpty)
    }

    @Test("A repeated transaction credits once", arguments: ["C32", "C33"])
    func repeatedCredit(name: String) throws {
        let explained = try ExplainedCase(name)
        let explanation = try explained.explanation("A1", at: "2027-01-01T00:00:00.000Z")
        let credits = explanation.balances.flatMap(\.lines).filter { $0.change > 0 }
        let ids = credits.map(\.entry)
        #expect(!ids.isEmpty)
        #expect(Set(ids).count == ids.count)
        #expect(explanation.balances.map(\.amount) == [credits.map(\.change).reduce(0, +)])
    }

    @Test("A refund removes access and says why")
    func refund() throws {
        let end = try end("S1", "A1", "2026-01-31T00:00:00.000Z", of: "extras")
        #expect(end.cause == .refund)
        #expect(end.toldBy == "REFUND")
    }

    @Test("An upgrade removes the lower one's access and says why")
    func upgrade() throws {
        let end = try end("S1", "A1", "2026-01-31T00:00:00.000Z", of: "monthly")
        #expect(end.cause == .nextPeriod)
        #expect(end.toldBy == "DID_CHANGE_RENEWAL_PREF")
    }

    @Test("Expiry removes access and says why")
    func expiry() throws {
        #expect(try end("S1", "A1", "2026-01-31T00:00:00.000Z", of: "old").cause == .expiry)
    }

    @Test("Leaving the family removes access and says why")
    func family() throws {
        let explained = try ExplainedCase("C55")
        let last = try #require(explained.serverCase.steps.map(\.at).max())
        let revoked = explained.serverCase.accounts.values.flatMap { account in
            explained.target.world.explanation(account: account, environment: .production, at: last).entitlements
        }.flatMap(\.candidates).flatMap(\.ends).filter { $0.cause == .familyRevoked && $0.isDecisive }
        #expect(!revoked.isEmpty)
        #expect(revoked.allSatisfy { $0.toldBy?.notificationType == "REVOKE" })
    }
}
