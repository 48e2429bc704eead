import CaseFiles
import Entitlements
import Testing

/// A server case from text, with the built-in defaults.
private func serverCase(_ text: String) throws -> ServerCase {
    try ServerCase(JSONDocument(parsing: text, file: "case.json"), defaults: CaseDefaults.builtIn())
}

private func differences(_ text: String) async throws -> [String] {
    let serverCase = try serverCase(text)
    var target = WorldTarget(serverCase)
    return try await serverCase.run(on: &target).lines
}

/// One period of pro.m, May 2026, as JSON; `more` overrides nothing and is put behind.
private func period(_ more: String) -> String {
    """
    {"transactionId": "101", "originalTransactionId": "101", "bundleId": "com.example.app", "productId": "pro.m",
     "purchaseDate": 1777629600000, "expiresDate": 1780308000000, "type": "Auto-Renewable Subscription",
     "environment": "Production"\(more)}
    """
}

@Suite("Replay and comparison")
struct ReplayTests {
    @Test("What differs is said in words that name the question")
    func differencesInWords() async throws {
        let text = """
            {"id": "T1", "steps": [{"at": "2026-05-01T10:00:05.000Z", "answers": ["duplicate"],
               "push": {"account": "A1", "transactions": [\(period(""))]}}],
             "expect": [
               {"account": "A1", "at": "2026-05-15T10:00:00.000Z", "active": [], "nextChangeAt": null,
                "entries": {"pro": {"state": "expired", "expiresDate": "2026-06-02T10:00:00.000Z", "nextProductId": null},
                            "news": {"state": "active"}},
                "balances": {"coins": 5}, "needsReconciliation": true},
               {"account": "A2", "environment": "Sandbox", "knownAt": "2026-05-15T10:00:00.000Z",
                "intervals": {"pro": [[1, null]]}},
               {"unclaimed": ["7"]}]}
            """
        #expect(
            try await differences(text) == [
                "T1: step 0 (push at 2026-05-01T10:00:05.000Z) answers: expected [duplicate], found [recorded]",
                "T1: at 2026-05-15T10:00:00.000Z A1 active: expected [], found [pro]",
                "T1: at 2026-05-15T10:00:00.000Z A1 entries.pro.state: expected expired, found active",
                "T1: at 2026-05-15T10:00:00.000Z A1 entries.pro.expiresDate: expected 2026-06-02T10:00:00.000Z, "
                    + "found 2026-06-01T10:00:00.000Z",
                "T1: at 2026-05-15T10:00:00.000Z A1 entries.news: expected an entry, found none",
                "T1: at 2026-05-15T10:00:00.000Z A1 balances.coins: expected 5, found 0",
                "T1: at 2026-05-15T10:00:00.000Z A1 nextChangeAt: expected null, found 2026-06-01T10:00:00.000Z",
                "T1: at 2026-05-15T10:00:00.000Z A1 needsReconciliation: expected true, found false",
                "T1: known at 2026-05-15T10:00:00.000Z in Sandbox A2 intervals.pro: expected "
                    + "[1970-01-01T00:00:00.001Z, null], found none",
                "T1: unclaimed: expected [7], found []",
            ])
    }

    @Test("A repeated copy that stays behind the newest word is a duplicate (R1)")
    func repeatedBehindNewest() async throws {
        let text = """
            {"id": "T2", "steps": [
               {"at": 1777629700000, "push": {"account": "A1", "transactions": [\(period(#", "signedDate": 1777629601000"#))]}},
               {"at": 1778000000000, "push": {"account": "A1", "transactions": [
                  \(period(#", "revocationDate": 1777900000000, "signedDate": 1777990000000"#))]}},
               {"at": 1778000001000, "answers": ["duplicate"], "push": {"account": "A1", "transactions": [
                  \(period(#", "signedDate": 1777800000000"#))]}},
               {"at": 1778000002000, "answers": ["duplicate"], "push": {"account": "A1", "transactions": [
                  \(period(#", "signedDate": 1777990000000"#))]}},
               {"at": 1778000003000, "answers": ["recorded"], "push": {"account": "A1", "transactions": [
                  \(period(#", "signedDate": 1777990000001"#))]}}],
             "expect": [{"account": "A1", "intervals": {"pro": [[1777629600000, 1780308000000]]}},
                        {"account": "A1", "knownAt": 1778000002000, "intervals": {"pro": [[1777629600000, 1777900000000]]}}]}
            """
        #expect(try await differences(text) == ["ok T2"])
    }

    @Test("A lineage locked by an erasure is deaf to tokens, also for the time before (R7)")
    func lockedIsDeaf() async throws {
        let later = period(#", "appAccountToken": "A2""#)
            .replacing("\"transactionId\": \"101\"", with: "\"transactionId\": \"102\"")
            .replacing("1777629600000", with: "1780308000000").replacing(
                "\"expiresDate\": 1780308000000", with: "\"expiresDate\": 1782900000000")
        let text = """
            {"id": "T3", "steps": [
               {"at": 1777629700000, "push": {"account": "A1", "transactions": [\(period(#", "appAccountToken": "A1""#))]}},
               {"at": 1779000000000, "erase": {"account": "A1"}},
               {"at": 1780308000000, "push": {"account": "A2", "transactions": [\(later)]}}],
             "expect": [{"account": "A2", "intervals": {"pro": []}}, {"account": "A1", "intervals": {"pro": []}},
                        {"unclaimed": []}]}
            """
        #expect(try await differences(text) == ["ok T3"])
    }

    @Test("A refund older than a repeated copy takes no coins, live and as known at a time (R1, R6)")
    func repeatedCopyInLedger() async throws {
        func coins(_ more: String) -> String {
            period(more).replacing("pro.m", with: "coins100").replacing(
                "Auto-Renewable Subscription", with: "Consumable")
        }
        let text = """
            {"id": "T6", "steps": [
               {"at": 1777629700000, "push": {"account": "A1", "transactions": [\(coins(#", "signedDate": 1777629601000"#))]}},
               {"at": 1778000000000, "push": {"account": "A1", "transactions": [\(coins(#", "signedDate": 1777990000000"#))]}},
               {"at": 1778000001000, "push": {"account": "A1", "transactions": [
                  \(coins(#", "revocationDate": 1777700000000, "signedDate": 1777800000000"#))]}}],
             "expect": [{"account": "A1", "balances": {"coins": 100}},
                        {"account": "A1", "knownAt": 1778000001000, "balances": {"coins": 100}}]}
            """
        #expect(try await differences(text) == ["ok T6"])
    }

    @Test("Who takes over a lineage takes over the signing dates of repeated copies (R1, R7)")
    func repeatedCopyMoves() async throws {
        let text = """
            {"id": "T7", "steps": [
               {"at": 1777629700000, "push": {"account": "A1", "transactions": [\(period(#", "signedDate": 1777629601000"#))]}},
               {"at": 1778000000000, "push": {"account": "A1", "transactions": [\(period(#", "signedDate": 1777990000000"#))]}},
               {"at": 1778000001000, "push": {"account": "A1", "transactions": [
                  \(period(#", "revocationDate": 1777700000000, "signedDate": 1777800000000"#))]}},
               {"at": 1778000002000, "answers": ["recorded"], "restore": {"account": "A2", "transactions": [
                  \(period(#", "signedDate": 1777629601000"#))]}}],
             "expect": [{"account": "A2", "intervals": {"pro": [[1778000002000, 1780308000000]]}},
                        {"account": "A2", "knownAt": 1778000002000, "intervals": {"pro": [[1778000002000, 1780308000000]]}}]}
            """
        #expect(try await differences(text) == ["ok T7"])
    }

    @Test("What was unclaimed at a time is answered from the steps up to then")
    func unclaimedKnownAt() async throws {
        let text = """
            {"id": "T4", "steps": [
               {"at": 1777629700000, "answers": ["unclaimed"], "notification": {"notificationType": "SUBSCRIBED",
                "notificationUUID": "u", "data": {"environment": "Production", "bundleId": "com.example.app",
                "transaction": \(period(""))}}},
               {"at": 1777629800000, "push": {"account": "A1", "transactions": [\(period(""))]}}],
             "expect": [{"unclaimed": [], "knownAt": 1777629699999}, {"unclaimed": ["101"], "knownAt": 1777629700000},
                        {"unclaimed": []}]}
            """
        #expect(try await differences(text) == ["ok T4"])
    }

    @Test("A catalog in a case keeps what it does not say from the defaults")
    func partialCatalog() throws {
        let own = try serverCase(
            """
            {"id": "T5", "steps": [], "expect": [{"unclaimed": []}], "catalog": {"policies": {"transfer": "never"}},
             "accounts": {"B1": "b1b1b1b1-0000-4000-8000-00000000000d"}}
            """)
        #expect(own.catalog.products.count == 11)
        #expect(own.catalog.policies.transfer == .never)
        #expect(own.catalog.policies.transferLimit == 2)
        #expect(own.known == [try #require(own.accounts["B1"])])
    }
}

@Suite("Timeline")
struct TimelineTests {
    private func lines(_ style: TimelineStyle, _ text: String, now: Milliseconds) throws -> [String] {
        let serverCase = try serverCase(text)
        var target = WorldTarget(serverCase)
        for step in serverCase.steps { _ = target.apply(step) }
        let account = try #require(serverCase.accounts["A1"])
        return Timeline(target.world.derivation(account: account, environment: .production), now: now, style: style)
            .lines
    }

    private static let text = """
        {"id": "T", "steps": [{"at": 1777629700000, "push": {"account": "A1", "transactions": [
            \(period(#", "revocationDate": 1779000000000"#))]}},
          {"at": 1779000000000, "grant": {"account": "A1", "entitlement": "vip", "id": "g"}}], "expect": [{"unclaimed": []}]}
        """

    @Test("Intervals, what ended them, and now, in plain characters")
    func ascii() throws {
        var style = TimelineStyle()
        style.width = 60
        style.isUnicode = false
        #expect(
            try lines(style, Self.text, now: 1_779_500_000_000) == [
                "              2026-05-01                          2026-05-24",
                "pro           ################################",
                "  pro.m ..101 -------------------------------x",
                "vip                                           #############>",
                "  grant g                                     ------------->",
                "                            now 2026-05-23T01:33:20.000Z ^",
                "# access  - a grantor  ~ grace  ] expiry  x refund or taken back  ^ upgrade  | next period  > for ever",
            ])
    }

    @Test("An account without anything")
    func empty() throws {
        #expect(
            try lines(TimelineStyle(), #"{"id": "T", "steps": [], "expect": [{"unclaimed": []}]}"#, now: 0).count == 1)
    }
}
