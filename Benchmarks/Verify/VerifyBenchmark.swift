import AppStore
import Entitlements
import Foundation
import Signatures

/// How fast signed transactions are verified, against bare OpenSSL and, if asked for, Apple's Python library.
struct VerifyBenchmark: Benchmark {
    static let name = "verify"
    static let help = """
        verify: signed transactions of genuine shape and size, verified on one core: with a chain that is known already,
        and with each chain parsed and proved anew. Yardstick: a C loop of one SHA-256 and one P-256 verification with
        OpenSSL, on the same input. --peers installs Apple's app-store-server-library into a virtual environment and
        measures it on the same transactions. Example: entitled bench verify --peers --json
        """

    private static let transactions = 500
    private let seconds: Double
    private let wantsPeers: Bool

    init(_ options: BenchmarkOptions) {
        seconds = options.seconds ?? 12
        wantsPeers = options.wantsPeers
    }

    func run(_ bench: inout Bench) async throws {
        bench.says("signing transactions")
        let purchases = try Purchases()
        let transactions = try (0..<Self.transactions).map { try purchases.signed(account: $0, number: 0) }
        let openSSL = try OpenSSLYardstick(transactions[0], purchases, bench)
        let python = wantsPeers ? try ApplePython.install(transactions, purchases, &bench) : nil

        let known = SignedDataVerifier(roots: [purchases.root])
        let new = SignedDataVerifier(roots: [purchases.root], chainCapacity: 0)
        let turns = 9
        // Three or four programs a turn, each for about as long.
        let slice = seconds / Double(turns) / 3
        var times = (bare: Samples(), known: Samples(), new: Samples(), python: Samples())
        // The first turn warms up and is not counted.
        for turn in 0...turns {
            bench.says("turn \(turn) of \(turns)")
            let bare = try openSSL.microseconds(a: slice)
            let ours = try Self.microseconds(transactions, known, a: slice, purchases.now)
            let proving = try Self.microseconds(transactions, new, a: slice, purchases.now)
            let peer = try python?.microseconds(a: slice)
            guard turn > 0 else { continue }
            times.bare.add(bare)
            times.known.add(ours)
            times.new.add(proving)
            if let peer { times.python.add(peer) }
        }
        report(times, bytes: transactions[0].utf8.count, to: &bench.report)
    }

    private func report(
        _ times: (bare: Samples, known: Samples, new: Samples, python: Samples), bytes: Int,
        to report: inout BenchmarkReport
    ) {
        report.measured("a transaction as JWS", Double(bytes), "bytes")
        report.yardstick("bare OpenSSL verification", times.bare.median, "µs")
        report.measured("verification, known chain", times.known.median, "µs")
        report.measured("verification, known chain, one core", 1e6 / times.known.median, "a second")
        report.measured("verification, new chain", times.new.median, "µs")
        report.result(
            "rate with a known chain / bare OpenSSL", times.bare.over(times.known).median, "×",
            .init(stage: "first", side: .atLeast, limit: 0.70), .init(stage: "full", side: .atLeast, limit: 0.80))
        report.result("rate with new chains / bare OpenSSL", times.bare.over(times.new).median)
        guard wantsPeers else { return report.note("Apple's Python library was not asked for: --peers") }
        guard !times.python.values.isEmpty else { return }
        report.yardstick("Apple's Python library", times.python.median, "µs")
        report.result(
            "rate with a known chain / Apple's Python library", times.python.over(times.known).median, "×",
            .init(stage: "full", side: .atLeast, limit: 20))
        report.result("rate with new chains / Apple's Python library", times.python.over(times.new).median)
        report.note("Apple's library runs without online checks; it then proves each chain anew.")
    }

    private static func microseconds(
        _ transactions: [String], _ verifier: SignedDataVerifier, a slice: Double, _ now: Milliseconds
    ) throws -> Double {
        let clock = ContinuousClock()
        var count = 0
        let start = clock.now
        var elapsed = Duration.zero
        repeat {
            for _ in 0..<20 {
                let verdict = verifier.verify(
                    transactions[count % transactions.count], as: .transaction, for: Purchases.identity, now: now)
                guard verdict.verified != nil else {
                    throw BenchmarkError("a transaction was refused: \(verdict.refusal.map { "\($0)" } ?? "")")
                }
                count += 1
            }
            elapsed = clock.now - start
        } while elapsed < .seconds(slice)
        return elapsed / .microseconds(1) / Double(count)
    }
}
