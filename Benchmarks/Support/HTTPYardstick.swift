/// The bare evhttp server, with a load generator that sends it the same requests.
final class HTTPYardstick {
    private let server: ChildProcess
    private let load: LoadGenerator

    init(answerBytes: Int, connections: Int, requests: RequestFile, _ bench: Bench) throws {
        server = try Yardsticks(scratch: bench.scratch).start(.http, ["\(answerBytes)"])
        let port = try server.numbers()[0]
        load = try LoadGenerator(port: Int(port), connections: connections, requests: requests, bench)
    }

    /// Processor time of the server a request, in microseconds, and the rate.
    func measure(a slice: Double) throws -> (cpu: Double, outcome: LoadGenerator.Outcome) {
        try server.send("")
        let before = try server.numbers()[0]
        let outcome = try load.send(seconds: slice, .again)
        try server.send("")
        let after = try server.numbers()[0]
        return ((after - before) / 1000 / outcome.answered, outcome)
    }
}
