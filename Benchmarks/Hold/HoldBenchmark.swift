import Foundation

/// What held polls cost, and how soon they are answered.
struct HoldBenchmark: Benchmark {
    static let name = "hold"
    static let help = """
        hold: one service process holds polls of as many accounts, 19,000 unless --holds N says less; a client process opens
        them, then pushes transactions for them at 100 and 500 a second. Measured are the user memory of a poll, the
        processor time while nothing happens, and the time from the commit to the answer at the client. The descriptors of
        one process must suffice: ulimit -n. Example: entitled bench hold --holds 5000 --json
        """

    private let holds: Int
    private let seconds: Double

    init(_ options: BenchmarkOptions) {
        holds = options.holds ?? 19_000
        seconds = options.seconds ?? 10
    }

    func run(_ bench: inout Bench) async throws {
        try Self.raiseLimit(to: UInt64(holds) + 300)
        bench.says("making accounts and requests")
        let fleet = try Fleet(accounts: holds)
        let database = try await BenchDatabase.start("postgres", bench)
        do {
            try await database.register(accounts: holds)
            try await measure(fleet, database, &bench)
        } catch {
            await database.stop()
            throw error
        }
        await database.stop()
    }

    /// The limit is inherited by the service and the client.
    private static func raiseLimit(to files: UInt64) throws {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_max >= files else {
            throw BenchmarkError("a process may open \(limit.rlim_max) files here: use --holds \(limit.rlim_max - 300)")
        }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    private func measure(_ fleet: Fleet, _ database: BenchDatabase, _ bench: inout Bench) async throws {
        var gets = try RequestFile("gets", bench)
        for account in 0..<holds { try gets.add(fleet.get(account: account)) }
        try gets.flush()
        var pushes = try RequestFile("pushes", bench)
        for number in 0..<holds + Int(600 * seconds) + 1000 {
            try pushes.add(fleet.push(account: number % holds, first: number / holds, count: 1))
        }
        try pushes.flush()

        let service = try BenchService(database, fleet, bench)
        defer { service.stop() }
        let client = try Yardsticks(scratch: bench.scratch).start(
            .hold, ["\(service.port)", gets.path, pushes.path])
        bench.says("asking for cursors")
        _ = try client.ask("cursors")
        let waiter = HoldWaiter(client: client, database: database, accounts: holds, scratch: bench.scratch)
        bench.says("opening \(holds) polls")
        let before = service.usage
        _ = try client.ask("hold")
        try await Task.sleep(for: .seconds(2))
        let held = service.usage
        bench.report.measured("polls held by one process", Double(holds), "")
        bench.report.measured("opening and parking a poll, CPU", (held.cpu - before.cpu) / Double(holds) * 1e6, "µs")

        bench.says("doing nothing")
        let idleStart = service.usage
        try await Task.sleep(for: .seconds(seconds))
        let idle = (service.usage.cpu - idleStart.cpu) / seconds * 100

        var wakes: [(rate: Double, times: HoldWaiter.Times)] = []
        for rate in [100.0, 500] {
            bench.says("\(Int(rate)) changes a second")
            wakes.append((rate, try await waiter.wake(count: Int(rate * seconds), rate: rate)))
        }
        // Every poll is answered once and sent again on its connection, as it is most of its life.
        bench.says("answering every poll once")
        _ = try await waiter.wake(count: holds, rate: 2000)
        try await Task.sleep(for: .seconds(2))
        let rearmed = service.usage
        client.end()
        report(
            memory: (held.memory - before.memory) / Double(holds),
            rearmed: (rearmed.memory - before.memory) / Double(holds), idle: idle, wakes, to: &bench.report)
    }

    private func report(
        memory: Double, rearmed: Double, idle: Double, _ wakes: [(rate: Double, times: HoldWaiter.Times)],
        to report: inout BenchmarkReport
    ) {
        report.result(
            "user memory of a poll", memory / 1000, "kB", .init(stage: "first", side: .atMost, limit: 4),
            .init(stage: "full", side: .atMost, limit: 3))
        report.measured("user memory of a poll after one answer, all of the service's growth", rearmed / 1000, "kB")
        report.result(
            "processor time while nothing happens", idle, "% of a core", .init(stage: "full", side: .atMost, limit: 1))
        for (rate, times) in wakes {
            let name = "\(Int(rate)) changes/s"
            report.measured("\(name): push sent to poll answered, median", times.fromSending.median, "ms")
            report.measured("\(name): push sent to push answered, median", times.toAnswer.median, "ms")
            report.measured("\(name): push answered to poll answered, median", times.fromAnswer.median, "ms")
            report.result(
                "\(name): commit to poll answered, median", times.fromCommit.median, "ms",
                .init(stage: "first", side: .atMost, limit: 2), .init(stage: "full", side: .atMost, limit: 1))
            report.result(
                "\(name): commit to poll answered, p99", times.fromCommit.percentile(99), "ms",
                .init(stage: "full", side: .atMost, limit: 5))
        }
        report.note(
            "User memory: growth of the service's resident anonymous memory from before the polls, divided by them. Kernel "
                + "memory of the sockets is not in it.")
        report.note(
            "The commit's instant is PostgreSQL's own (track_commit_timestamp), taken before it waits for the disk, so the "
                + "write to the disk is in the time from the commit; the client's instant is when it has read the answer."
        )
    }
}
