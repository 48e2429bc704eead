import Foundation

/// How many snapshot requests a second a service answers.
struct ReadBenchmark: Benchmark {
    static let name = "read"
    static let help = """
        read: snapshot GETs over many accounts with one transaction each, from a service in a process of its own, over 64
        connections. Yardstick: a bare evhttp server whose answers are as long, measured in turn.
        --accounts N takes part (default 100,000). Example: entitled bench read --accounts 20000 --json
        """

    private let seconds: Double
    private let accounts: Int

    init(_ options: BenchmarkOptions) {
        seconds = options.seconds ?? 12
        accounts = options.accounts ?? 100_000
    }

    func run(_ bench: inout Bench) async throws {
        bench.says("making accounts and requests")
        let fleet = try Fleet(accounts: accounts)
        let database = try await BenchDatabase.start("postgres", bench)
        do {
            try await database.register(accounts: accounts)
            try await measure(fleet, database, &bench)
        } catch {
            await database.stop()
            throw error
        }
        await database.stop()
    }

    private func measure(_ fleet: Fleet, _ database: BenchDatabase, _ bench: inout Bench) async throws {
        let service = try BenchService(database, fleet, bench)
        defer { service.stop() }
        try IngestBenchmark.greet(service, fleet, bench)

        var gets = try RequestFile("gets", bench)
        // In another order than they were stored.
        for number in 0..<accounts { try gets.add(fleet.get(account: number * 7_919 % accounts)) }
        try gets.flush()
        let load = try LoadGenerator(
            port: service.port, connections: IngestBenchmark.connections, requests: gets, bench)
        let first = try load.send(seconds: 120, limit: accounts, .again)
        let bare = try HTTPYardstick(
            answerBytes: Int(first.answerBytes), connections: IngestBenchmark.connections, requests: gets, bench)

        var samples = (ours: Samples(), bare: Samples(), cpu: Samples(), bareCPU: Samples(), p99: Samples())
        let turns = 6
        for turn in 1...turns {
            bench.says("turn \(turn) of \(turns)")
            let yardstick = try bare.measure(a: seconds / Double(turns) / 2)
            let before = (service: service.usage.cpu, database: database.cpu)
            let outcome = try load.send(seconds: seconds / Double(turns) / 2, .again)
            let cpu = service.usage.cpu - before.service + database.cpu - before.database
            samples.ours.add(outcome.rate)
            samples.bare.add(yardstick.outcome.rate)
            samples.cpu.add(cpu / outcome.answered * 1e6)
            samples.bareCPU.add(yardstick.cpu)
            samples.p99.add(outcome.p99)
        }
        load.end()
        report(samples, answerBytes: first.answerBytes, to: &bench.report)
    }

    private func report(
        _ samples: (ours: Samples, bare: Samples, cpu: Samples, bareCPU: Samples, p99: Samples), answerBytes: Double,
        to report: inout BenchmarkReport
    ) {
        report.measured("accounts", Double(accounts), "")
        report.measured("an answer", answerBytes, "bytes")
        report.yardstick("bare evhttp, one thread", samples.bare.median, "requests/s")
        report.yardstick("bare evhttp, CPU", samples.bareCPU.median, "µs a request")
        report.measured("snapshots", samples.ours.median, "requests/s")
        report.measured("CPU of service and PostgreSQL", samples.cpu.median, "µs a request")
        report.measured("latency, p99", samples.p99.median, "ms")
        report.result(
            "snapshots / bare evhttp, rate", samples.ours.over(samples.bare).median, "×",
            .init(stage: "full", side: .atLeast, limit: 0.60))
        report.result("bare evhttp / snapshots, CPU a request", samples.bareCPU.over(samples.cpu).median)
        report.note("Each snapshot is read from the database and computed anew; nothing is cached between requests.")
    }
}
