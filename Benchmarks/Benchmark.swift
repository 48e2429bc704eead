import Foundation

/// A benchmark of `entitled bench`.
public protocol Benchmark: Sendable {
    /// The word behind `entitled bench`.
    static var name: String { get }
    /// What it measures, for its help; with an example.
    static var help: String { get }
    /// One for these options.
    init(_ options: BenchmarkOptions)
    /// Measures. Blocks its thread while programs run.
    func run(_ bench: inout Bench) async throws
}

/// What the person asked for. Each benchmark uses what it has a use for.
public struct BenchmarkOptions: Sendable {
    /// Seconds of measuring, about; nil: as the benchmark finds right.
    public var seconds: Double?
    /// Whether to install and measure other people's programs, too.
    public var wantsPeers = false
    /// Accounts that take part.
    public var accounts: Int?
    /// Polls to hold.
    public var holds: Int?

    /// The defaults.
    public init() {}
}

/// Why a benchmark cannot go on, in words for the person.
public struct BenchmarkError: Error, CustomStringConvertible {
    /// What is wrong and what to do.
    public let description: String

    init(_ description: String) { self.description = description }
}

/// What a running benchmark works with: a directory of its own, its report, a place for progress.
public struct Bench {
    /// What it found.
    public var report: BenchmarkReport
    let scratch: ScratchDirectory
    let executable: String
    private let progress: (String) -> Void

    /// Runs a benchmark. `executable` is this program, which a benchmark may start as a service; `progress` is told what it is
    /// busy with.
    public static func run(
        _ benchmark: any Benchmark, command: String, executable: String, progress: @escaping (String) -> Void
    ) async throws -> BenchmarkReport {
        let name = type(of: benchmark).name
        let scratch = try ScratchDirectory()
        var bench = Bench(
            report: BenchmarkReport(name: name, command: command, machine: .current()), scratch: scratch,
            executable: executable, progress: progress)
        defer { scratch.remove() }
        try await benchmark.run(&bench)
        bench.report.measuredAt = Int64(Date().timeIntervalSince1970 * 1000)
        return bench.report
    }

    func says(_ text: String) { progress(text) }
}

/// The benchmarks there are.
public let benchmarks: [any Benchmark.Type] = [
    VerifyBenchmark.self, IngestBenchmark.self, ReadBenchmark.self, HoldBenchmark.self, DeriveBenchmark.self,
    ClientBenchmark.self,
]
