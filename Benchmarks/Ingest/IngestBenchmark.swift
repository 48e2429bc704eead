import Foundation

/// How many signed transactions a second go from an HTTP request to durable, projected and answered.
struct IngestBenchmark: Benchmark {
    static let name = "ingest"
    static let help = """
        ingest: a service in a process of its own, on a private PostgreSQL with fsync on, takes pushes of 1 and of 10 signed
        renewals over 64 connections; before the clock starts accounts have made a first purchase, and requests are signed. Yardstick:
        the bound 2 cores / (verify + insert + HTTP), its three parts measured in the same turns with bare C programs.
        --accounts N takes part (default 10,000). Example: entitled bench ingest --seconds 12 --json
        """

    static let connections = 64
    private let seconds: Double
    private let accounts: Int

    init(_ options: BenchmarkOptions) {
        seconds = options.seconds ?? 12
        accounts = options.accounts ?? 10_000
    }

    func run(_ bench: inout Bench) async throws {
        bench.says("making accounts")
        let fleet = try Fleet(accounts: accounts)
        for count in [1, 10] { try await run(fleet, transactionsPerPush: count, &bench) }
        bench.report.note(
            "Service, database and load generator share the cores; the bound does not count the load generator.")
        bench.report.note(
            "Bound: verify and insert are each run by as many programs at once as there are cores; HTTP is the processor "
                + "time of a bare evhttp server that takes the same requests.")
        bench.report.note("The service writes its log, a line a request, to a file.")
    }

    private func run(_ fleet: Fleet, transactionsPerPush count: Int, _ bench: inout Bench) async throws {
        bench.says("making requests (\(count) a push)")
        let requests = try pushes(fleet, transactionsPerPush: count, bench)
        let database = try await BenchDatabase.start("postgres\(count)", bench)
        do {
            try await database.register(accounts: accounts)
            try await measure(fleet, database, requests, transactionsPerPush: count, &bench)
        } catch {
            await database.stop()
            throw error
        }
        await database.stop()
    }

    /// Enough for all measurements, at the most that can be hoped for.
    private func pushes(_ fleet: Fleet, transactionsPerPush count: Int, _ bench: Bench) throws -> RequestFile {
        var file = try RequestFile("pushes\(count)", bench)
        let needed = Int((2 * seconds + 4) * 12_000) / count
        for number in 0..<needed {
            // Neighbours in time are different accounts.
            let account = number % accounts
            try file.add(fleet.push(account: account, first: 1 + number / accounts * count, count: count))
        }
        try file.flush()
        return file
    }

    private func measure(
        _ fleet: Fleet, _ database: BenchDatabase, _ requests: RequestFile, transactionsPerPush count: Int,
        _ bench: inout Bench
    ) async throws {
        let service = try BenchService(database, fleet, bench)
        defer { service.stop() }
        try Self.greet(service, fleet, bench)
        let load = try LoadGenerator(
            port: service.port, connections: Self.connections, requests: requests, bench)
        let bound = try IngestBound(fleet, database, requests, bench)
        // Also finds how long the answers are, which the bare server imitates.
        bench.says("warming up (\(count) a push)")
        let warm = try load.send(seconds: 2, .once)
        try bound.startHTTP(answerBytes: Int(warm.answerBytes), bench)

        var taken = IngestSamples()
        let turns = 4
        for turn in 1...turns {
            bench.says("\(count) a push, turn \(turn) of \(turns)")
            let parts = try bound.measure(a: 0.7)
            let (before, beforeDatabase) = (service.usage, database.cpu)
            let outcome = try load.send(seconds: seconds / Double(turns), .once)
            let transactions = outcome.answered * Double(count)
            taken.add(
                parts, outcome, transactions: transactions, serviceCPU: service.usage.cpu - before.cpu,
                databaseCPU: database.cpu - beforeDatabase, count: count)
        }
        bench.says("\(count) a push, half the rate")
        let half = try load.send(seconds: seconds / 2, rate: taken.rate.median / Double(count) / 2, .once)
        load.end()
        bound.end()
        taken.report(half: half, perPush: count, to: &bench.report)
    }

    /// The first purchase of each account: the service then knows their tokens, the log has their streams.
    static func greet(_ service: BenchService, _ fleet: Fleet, _ bench: Bench) throws {
        bench.says("storing the first purchase of \(fleet.accounts) accounts")
        var file = try RequestFile("greetings", bench)
        for account in 0..<fleet.accounts { try file.add(fleet.push(account: account, first: 0, count: 1)) }
        try file.flush()
        let load = try LoadGenerator(port: service.port, connections: Self.connections, requests: file, bench)
        _ = try load.send(seconds: 300, limit: fleet.accounts, .once)
        load.end()
    }
}
