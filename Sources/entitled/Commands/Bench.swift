import Benchmarks
import Entitlements
import Foundation

/// `entitled bench`: measures this program on this machine.
struct BenchCommand: Command {
    static let name = "bench"
    static let summary = "measure this program on this machine, beside yardsticks"
    static var help: String {
        """
        Usage: entitled bench NAME [options]

        Measures in turn with a yardstick, several times, and prints medians, ratios and goals. Needs a C compiler (cc), and
        PostgreSQL's programs for what stores. Everything happens on the loopback address and in a directory of
        /var/tmp, removed at the end.

        \(benchmarks.map { indented($0.help) }.joined(separator: "\n\n"))

          --json               one JSON document: machine, versions, figures, yardsticks, results, goals
          --markdown           a section of docs/benchmarks.md
          --seconds N          about how long to measure
          --accounts N         accounts that take part
          --holds N            polls to hold
          --peers              installs and measures other people's programs, too (from the network)

        Exit status: 0 measured, 1 could not be measured, 2 wrong usage. Goals not reached are no failure.

        Example: entitled bench verify --seconds 20
        """
    }

    private enum Output {
        case text, json, markdown
    }

    private enum Work {
        case measure(any Benchmark)
        /// Not for people: the service that a benchmark starts.
        case service
        /// Not for people: the start of a client that a benchmark measures.
        case clientStart
    }

    private let work: Work
    private let output: Output
    private let command: String

    init(_ arguments: inout Arguments) throws {
        command = ((["entitled", "bench"]) + CommandLine.arguments.dropFirst(2)).joined(separator: " ")
        var options = BenchmarkOptions()
        let wantsJSON = arguments.flag("--json")
        let wantsMarkdown = arguments.flag("--markdown")
        guard !wantsJSON || !wantsMarkdown else { throw Arguments.UsageError("--json or --markdown, not both") }
        output = wantsJSON ? .json : wantsMarkdown ? .markdown : .text
        options.wantsPeers = arguments.flag("--peers")
        options.seconds = try arguments.integer("--seconds", 1...3600).map(Double.init)
        options.accounts = try arguments.integer("--accounts", 100...1_000_000)
        options.holds = try arguments.integer("--holds", 100...1_000_000)
        let names = try arguments.rest()
        let known = benchmarks.map { $0.name }.joined(separator: ", ")
        guard let name = names.first, names.count == 1 else {
            throw Arguments.UsageError("name one benchmark: \(known)")
        }
        switch name {
        case "service": work = .service
        case "client-start": work = .clientStart
        default:
            guard let type = benchmarks.first(where: { $0.name == name }) else {
                throw Arguments.UsageError("there is no benchmark \(name): \(known)")
            }
            work = .measure(type.init(options))
        }
    }

    func run() async throws -> ExitStatus {
        switch work {
        case .service: try await BenchService.serve()
        case .clientStart: try await ClientStart.measure()
        case .measure(let benchmark): try await measure(benchmark)
        }
        return .done
    }

    private func measure(_ benchmark: any Benchmark) async throws {
        let isTerminal = isatty(STDERR_FILENO) == 1
        // A program that ends early must not end this one when it is written to.
        signal(SIGPIPE, SIG_IGN)
        let report = try await Bench.run(
            benchmark, command: command,
            executable: try FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/exe")
        ) { if isTerminal { Console.note("\(type(of: benchmark).name): \($0)") } }
        switch output {
        case .text: print(report.text)
        case .json: print(report.json.text)
        case .markdown: print(report.markdown)
        }
    }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }.joined(separator: "\n")
    }
}

extension Arguments {
    /// The value of an option that is a number in a range.
    fileprivate mutating func integer(_ name: String, _ range: ClosedRange<Int64>) throws(UsageError) -> Int? {
        guard let value = try integer(name) else { return nil }
        guard range ~= value else {
            throw UsageError("\(name) must be from \(range.lowerBound) to \(range.upperBound), not \(value)")
        }
        return Int(value)
    }
}
