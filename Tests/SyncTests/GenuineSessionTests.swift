import Entitlements
import EventLog
import Signatures
import Sync
import TestSupport
import Testing

/// 14 notifications that Apple signed (Sandbox, one lineage, no token in them): any order, any repetition and any moment of
/// the claim end in the same answers, at each instant of the lineage's life.
@Suite struct GenuineSessionTests {
    static let catalog = Catalog(
        bundleId: "com.loki-project.loki-messenger", appAppleId: 1_470_168_868,
        products: [
            "com.getsession.org.pro_sub": Product(
                type: .autoRenewable, subscriptionGroup: "pro", level: 1, entitlements: ["pro", "month"]),
            "com.getsession.org.pro_sub_3_months": Product(
                type: .autoRenewable, subscriptionGroup: "pro", level: 1, entitlements: ["pro", "quarter"]),
        ])

    static let folder = "vectors/apple-signed-sandbox/session"

    static func notifications() throws -> [String] {
        try SharedFiles.names(in: folder).filter { $0.hasSuffix(".jws") }.map { name in
            String(try SharedFiles.text("\(folder)/\(name)").filter { !$0.isWhitespace })
        }
    }

    static func innerTransaction() throws -> String {
        String(
            try SharedFiles.text("\(folder)/inner/05-SUBSCRIBED-RESUBSCRIBE.transaction.jws").filter {
                !$0.isWhitespace
            })
    }

    enum Order: String, CaseIterable {
        case forward, backward, twice, shuffled
        func arrange(_ list: [String]) -> [String] {
            var random = SplitMix(seed: 14)
            return switch self {
            case .forward: list
            case .backward: list.reversed()
            case .twice: list + list
            case .shuffled: (list + list).shuffled(using: &random)
            }
        }
    }

    /// Seconds since 1970: [start, end) by the payloads' dates and the rules; the upgrade cuts the three months short.
    static let proIntervals: [[Int64]] = [
        [1_759_302_552, 1_759_302_732], [1_759_388_767, 1_759_388_947], [1_759_727_778, 1_759_727_970],
        [1_760_335_129, 1_760_335_309], [1_760_591_774, 1_760_592_314],
    ]

    /// Every instant at which something begins or ends, one millisecond before and after it.
    static let instants: [Milliseconds] =
        proIntervals.flatMap { $0 }.flatMap { second in
            [-1, 0, 1].map { second * 1000 + $0 }
        } + [1_759_727_790_000, 1_759_727_789_999]

    @Test(arguments: Order.allCases, [true, false])
    func endsInTheSameAnswers(order: Order, claimsFirst: Bool) async throws {
        let account = EngineTests.account(1)
        try await withEngine(catalog: Self.catalog) { fixture, _ in
            func claim() async throws {
                let answer = try await fixture.engine.push(
                    transactions: [try Self.innerTransaction()], account: account, app: fixture.app)
                guard case .decided = answer.transactions[0].outcome else {
                    Issue.record("the genuine transaction is refused: \(answer.transactions[0].outcome)")
                    return
                }
            }
            if claimsFirst { try await claim() }
            for payload in order.arrange(try Self.notifications()) {
                guard case .decided = try await fixture.engine.notify(signedPayload: payload, app: fixture.app) else {
                    Issue.record("a genuine notification is refused")
                    continue
                }
            }
            if !claimsFirst { try await claim() }

            let key = StreamKey(app: fixture.app.number, environment: .sandbox, account: account)
            let state = try await fixture.engine.reader.state(of: key)
            let intervals = Derivation(state: state, catalogs: fixture.app.terms.catalogs).intervals()
            #expect(intervals["pro"] == Self.proIntervals.map { Interval($0[0] * 1000, $0[1] * 1000) })
            #expect(
                intervals["quarter"] == [
                    Interval(1_759_727_778_000, 1_759_727_790_000), Interval(1_760_591_774_000, 1_760_592_314_000),
                ])
            for instant in Self.instants {
                var snapshot = try await fixture.engine.snapshot(
                    of: account, environment: .sandbox, app: fixture.app, at: instant, knownAt: nil)
                // How many events there were depends on the order; what follows from them does not.
                snapshot.version = 0
                #expect(snapshot == (try Self.expected(at: instant)), "at \(instant)")
            }
        }
    }

    /// The same facts in memory, in their order.
    static let world = Result { () throws -> World in
        let account = EngineTests.account(1)
        var world = World(
            app: AppTerms(bundleId: catalog.bundleId, catalogs: CatalogHistory(catalog)), known: [account])
        for text in try notifications() {
            let payload = try decoded(text)
            let data = payload["data"]?.objectValue
            _ = world.notify(
                payload, transaction: try data?["signedTransactionInfo"]?.stringValue.map(decoded),
                renewalInfo: try data?["signedRenewalInfo"]?.stringValue.map(decoded), at: 1)
        }
        _ = world.push(account: account, transactions: [try decoded(try innerTransaction())], at: 2)
        return world
    }

    static func expected(at instant: Milliseconds) throws -> Snapshot {
        var snapshot = try world.get().snapshot(
            account: EngineTests.account(1), environment: .sandbox, at: instant)
        snapshot.version = 0
        return snapshot
    }

    private static func decoded(_ jws: String) throws -> JSONObject {
        let parts = jws.split(separator: ".")
        let bytes = try #require(Base64URL.decode(parts[1].utf8))
        return try #require(try JSONValue(parsing: bytes).objectValue)
    }
}
