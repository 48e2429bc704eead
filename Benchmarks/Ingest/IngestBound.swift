import Entitlements
import Foundation

/// The three parts of the bound, each as seconds a transaction with all cores at work.
struct IngestParts {
    let verify, insert: Double
    /// A request's, not a transaction's.
    let http: Double

    /// Transactions a second that no service built of these parts exceeds.
    func bound(perPush: Int) -> Double { 1 / (verify + insert + http / Double(perPush)) }
}

/// Measures the parts with bare C programs.
final class IngestBound {
    private static let rowsPerCommit = 1000.0

    private let verifiers: [OpenSSLYardstick]
    private let inserters: [ChildProcess]
    private let requests: RequestFile
    private let cores: Int
    private var http: HTTPYardstick?

    init(_ fleet: Fleet, _ database: BenchDatabase, _ requests: RequestFile, _ bench: Bench) throws {
        self.requests = requests
        cores = bench.report.machine.cores
        let transaction = try fleet.purchases.signed(account: 0, number: 0)
        let payload = JSONValue.object(fleet.purchases.payload(account: 0, number: 0)).text.utf8.count
        let connection = database.connectionString
        verifiers = try (0..<cores).map { _ in try OpenSSLYardstick(transaction, fleet.purchases, bench) }
        let yardsticks = Yardsticks(scratch: bench.scratch)
        inserters = try (0..<cores).map { _ in try yardsticks.start(.insert, [connection, "\(payload)"]) }
    }

    func startHTTP(answerBytes: Int, _ bench: Bench) throws {
        http = try HTTPYardstick(
            answerBytes: answerBytes, connections: IngestBenchmark.connections, requests: requests, bench)
    }

    /// One turn; each part takes about so many seconds.
    func measure(a slice: Double) throws -> IngestParts {
        for verifier in verifiers { try verifier.begin(a: slice) }
        let verifyRate = try verifiers.map { 1e6 / (try $0.end()) }.reduce(0, +)

        let commits = max(3, Int(slice * 25))
        for inserter in inserters { try inserter.send("\(commits)") }
        let insertRate = try inserters.map {
            Double(commits) * Self.rowsPerCommit / (try $0.numbers()[0] / 1e9)
        }.reduce(0, +)

        guard let http else { throw BenchmarkError("the bare HTTP server was not started") }
        let cpu = try http.measure(a: slice).cpu
        return IngestParts(verify: 1 / verifyRate, insert: 1 / insertRate, http: cpu / 1e6 / Double(cores))
    }

    func end() {
        for inserter in inserters { inserter.end() }
    }
}
