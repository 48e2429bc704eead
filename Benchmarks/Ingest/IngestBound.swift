import Entitlements
import Foundation

/// The three parts of the bound, each as seconds a transaction (HTTP: a request).
struct IngestParts {
    /// By the clock, with all cores at work on it.
    let verify, insert, http: Double
    /// Of one core's processor time.
    let verifyCPU, insertCPU, httpCPU: Double

    /// Transactions a second that no service built of these parts exceeds.
    func bound(perPush: Int) -> Double { 1 / (verify + insert + http / Double(perPush)) }

    /// Processor seconds that a transaction needs at least.
    func cpu(perPush: Int) -> Double { verifyCPU + insertCPU + httpCPU / Double(perPush) }
}

/// Measures the parts with bare C programs.
final class IngestBound {
    private static let rowsPerCommit = 1000.0

    private let verifiers: [OpenSSLYardstick]
    private let inserters: [ChildProcess]
    private let requests: RequestFile
    private let database: BenchDatabase
    private let cores: Int
    private var http: HTTPYardstick?

    init(_ fleet: Fleet, _ database: BenchDatabase, _ requests: RequestFile, _ bench: Bench) throws {
        self.requests = requests
        self.database = database
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
        let verified = try verifiers.map { try $0.end() }

        let rows = max(3, (slice * 25).rounded()) * Self.rowsPerCommit
        let before = database.cpu
        for inserter in inserters { try inserter.send("\(Int(rows / Self.rowsPerCommit))") }
        let inserted = try inserters.map { try $0.numbers() }
        let backends = (database.cpu - before) / rows / Double(inserters.count)

        guard let http else { throw BenchmarkError("the bare HTTP server was not started") }
        let cpu = try http.measure(a: slice).cpu
        return IngestParts(
            verify: 1 / verified.reduce(0) { $0 + 1e6 / $1.wall },
            insert: 1 / inserted.reduce(0) { $0 + rows * 1e9 / $1[0] },
            http: cpu / 1e6 / Double(cores), verifyCPU: verified.reduce(0) { $0 + $1.cpu } / 1e6 / Double(cores),
            insertCPU: backends + inserted.reduce(0) { $0 + $1[1] } / 1e9 / rows / Double(cores), httpCPU: cpu / 1e6)
    }

    func end() {
        for inserter in inserters { inserter.end() }
    }
}
