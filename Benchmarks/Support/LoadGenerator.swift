/// The C program that sends prepared requests.
final class LoadGenerator {
    /// What a measurement found.
    struct Outcome {
        /// Requests answered with 2xx.
        let answered: Double
        /// From the first request to the last answer.
        let seconds: Double
        /// Processor time of the generator itself.
        let cpu: Double
        /// Latency in milliseconds.
        let median, p99, slowest: Double
        /// Bytes of the last answer's body.
        let answerBytes: Double

        var rate: Double { answered / seconds }
    }

    enum Mode: String {
        /// Each request once; the next measurement goes on where this one ended.
        case once
        /// From the beginning again when all were sent.
        case again
    }

    private let program: ChildProcess

    init(port: Int, connections: Int, requests: RequestFile, _ bench: Bench) throws {
        program = try Yardsticks(scratch: bench.scratch).start(.load, ["\(port)", "\(connections)", requests.path])
    }

    /// Sends for so many seconds, or up to a number of requests; at a rate, or as fast as answers come. Throws if a request was
    /// not answered with 2xx.
    func send(
        seconds: Double, rate: Double = 0, limit: Int = 1_000_000_000, _ mode: Mode
    ) throws -> Outcome {
        try program.send("\(seconds) \(rate) \(limit) \(mode.rawValue)")
        let numbers = try program.numbers()
        guard numbers.count == 8 else { throw BenchmarkError("the load generator answered something else") }
        guard numbers[1] == 0 else { throw BenchmarkError("\(Int(numbers[1])) requests were not answered with 2xx") }
        return Outcome(
            answered: numbers[0], seconds: numbers[2], cpu: numbers[3], median: numbers[4] / 1000,
            p99: numbers[5] / 1000, slowest: numbers[6] / 1000, answerBytes: numbers[7])
    }

    func end() { program.end() }
}
