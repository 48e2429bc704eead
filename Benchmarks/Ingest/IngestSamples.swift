/// What the turns of the ingest benchmark found.
struct IngestSamples {
    private(set) var rate = Samples()
    private var bound = Samples()
    private var verify = Samples()
    private var insert = Samples()
    private var http = Samples()
    private var median = Samples()
    private var p99 = Samples()
    private var service = Samples()
    private var database = Samples()
    private var load = Samples()
    private var cpuRatio = Samples()

    mutating func add(
        _ parts: IngestParts, _ outcome: LoadGenerator.Outcome, transactions: Double, serviceCPU: Double,
        databaseCPU: Double, count: Int
    ) {
        rate.add(transactions / outcome.seconds)
        bound.add(parts.bound(perPush: count))
        verify.add(parts.verify * 1e6)
        insert.add(parts.insert * 1e6)
        http.add(parts.http * 1e6)
        median.add(outcome.median)
        p99.add(outcome.p99)
        service.add(serviceCPU / transactions * 1e6)
        database.add(databaseCPU / transactions * 1e6)
        cpuRatio.add(parts.cpu(perPush: count) / ((serviceCPU + databaseCPU) / transactions))
        load.add(outcome.cpu / transactions * 1e6)
    }

    func report(half: LoadGenerator.Outcome, perPush count: Int, to report: inout BenchmarkReport) {
        let name = "\(count) a push"
        report.yardstick("\(name): bare verify, all cores", verify.median, "µs a transaction")
        report.yardstick("\(name): bare insert, all cores", insert.median, "µs a transaction")
        report.yardstick("\(name): bare HTTP, all cores", http.median, "µs a push")
        report.yardstick("\(name): bound", bound.median, "transactions/s")
        report.measured("\(name): ingest", rate.median, "transactions/s")
        report.measured("\(name): latency at full rate, median", median.median, "ms")
        report.measured("\(name): latency at full rate, p99", p99.median, "ms")
        report.measured("\(name): CPU of the service", service.median, "µs a transaction")
        report.measured("\(name): CPU of PostgreSQL", database.median, "µs a transaction")
        report.measured("\(name): CPU of the load generator", load.median, "µs a transaction")
        report.measured("\(name): half the rate", half.rate * Double(count), "transactions/s")
        report.measured("\(name): latency at half the rate, median", half.median, "ms")
        report.result(
            "\(name): ingest / bound", rate.over(bound).median, "×",
            .init(stage: "first", side: .atLeast, limit: 0.35), .init(stage: "full", side: .atLeast, limit: 0.60))
        report.result(
            "\(name): processor time of the parts / of service and PostgreSQL", cpuRatio.median, "×",
            .init(stage: "first", side: .atLeast, limit: 0.35), .init(stage: "full", side: .atLeast, limit: 0.60))
        report.result(
            "\(name): latency at half the rate, p99", half.p99, "ms", .init(stage: "full", side: .atMost, limit: 50))
    }
}
