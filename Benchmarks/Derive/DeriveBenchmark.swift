import Entitlements
import Foundation

/// How long it takes to derive a snapshot from an account's facts, and how that grows with them.
struct DeriveBenchmark: Benchmark {
    static let name = "derive"
    static let help = """
        derive: one subscription with 10, 100 and 1,000 transactions: from the account's state to its snapshot, and on to its
        JSON. Pure computation on one core; no yardstick. Example: entitled bench derive --json
        """

    private static let sizes = [10, 100, 1000]
    private let seconds: Double

    init(_ options: BenchmarkOptions) { seconds = options.seconds ?? 4 }

    func run(_ bench: inout Bench) async throws {
        let purchases = try Purchases()
        let catalog = try Catalog(JSONDocument(parsing: Array(Purchases.catalog.utf8), file: "catalog"))
        let catalogs = CatalogHistory(catalog)
        let states = try Self.sizes.map { try Self.state(purchases, transactions: $0) }
        var derived = Self.sizes.map { _ in Samples() }
        var written = derived
        let turns = 7
        let slice = seconds / Double(turns * Self.sizes.count * 2)
        for turn in 1...turns {
            bench.says("turn \(turn) of \(turns)")
            for (index, state) in states.enumerated() {
                func snapshot() -> Snapshot {
                    state.snapshot(
                        bundleId: Purchases.bundleId, environment: Purchases.environment, at: purchases.now,
                        catalogs: catalogs)
                }
                derived[index].add(Self.microseconds(a: slice) { snapshot().entitlements.count })
                written[index].add(Self.microseconds(a: slice) { snapshot().json.count })
            }
        }
        for (index, size) in Self.sizes.enumerated() {
            bench.report.measured("\(size) transactions: snapshot and its JSON", written[index].median, "µs")
        }
        bench.report.result(
            "10 transactions: snapshot", derived[0].median, "µs", .init(stage: "full", side: .atMost, limit: 20))
        bench.report.result("100 transactions: snapshot", derived[1].median, "µs")
        bench.report.result("1,000 transactions: snapshot", derived[2].median, "µs")
        // Ten times the facts may cost ten times as much; a quarter more for what the caches do.
        bench.report.result(
            "1,000 / 100 transactions", derived[2].over(derived[1]).median, "×",
            .init(stage: "full", side: .atMost, limit: 12.5))
    }

    /// A subscription that was renewed each day.
    private static func state(_ purchases: Purchases, transactions: Int) throws -> AccountState {
        guard let account = AccountID(Purchases.account(0)) else { throw BenchmarkError("the account is no UUID") }
        var state = AccountState(account: account)
        let start = purchases.now - Milliseconds(transactions) * Time.day + Time.day / 2
        for number in 0..<transactions {
            let payload = purchases.payload(
                account: 0, number: number, start: start, interval: Time.day, duration: Time.day)
            guard let transaction = Transaction(payload: payload) else { throw BenchmarkError("no transaction") }
            state.apply(
                Event(body: .transaction(transaction, tokenIsKnown: true), source: .push, recordedAt: purchases.now))
        }
        return state
    }

    private static func microseconds(a slice: Double, _ body: () -> Int) -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        var count = 0
        var size = 0
        var elapsed = Duration.zero
        repeat {
            size += body()
            count += 1
            elapsed = clock.now - start
        } while elapsed < .seconds(slice)
        // What is computed must be used, or the compiler may leave it out.
        precondition(size >= 0)
        return elapsed / .microseconds(1) / Double(count)
    }
}
