import EntitledClient
import Entitlements
import Foundation

/// How fast a client answers when an app starts, and whether it stays small.
struct ClientBenchmark: Benchmark {
    static let name = "client"
    static let help = """
        client: from a kept snapshot to the first verdict, the first time in a process (cold) and with a further client in it
        (warm); memory and file handles over 100,000 simulated polls, nine weeks of them. Beside it the Python client's start,
        if clients/python is below the working directory. Example: entitled bench client
        """

    private static let processes = 25
    private static let polls = 100_000

    init(_ options: BenchmarkOptions) {}

    func run(_ bench: inout Bench) async throws {
        let directory = bench.scratch.file("client")
        let key = try await keepSnapshot(in: directory, bench)
        let python = try PythonClient(besides: directory, key: key, &bench)
        var cold = Samples(), warm = Samples(), question = Samples(), memory = Samples()
        var pythonStart = Samples(), pythonMemory = Samples()
        for number in 1...Self.processes {
            bench.says("start \(number) of \(Self.processes)")
            let start = try ClientStart(directory: directory, key: key, bench)
            cold.add(start.cold / 1000)
            warm.add(start.warm / 1000)
            question.add(start.question)
            memory.add(start.memory / 1024 / 1024)
            if let start = try python?.start() {
                pythonStart.add(start.cold / 1000)
                pythonMemory.add(start.memory / 1024 / 1024)
            }
        }
        if !pythonStart.values.isEmpty {
            bench.report.yardstick("Python client: imports and first verdict, cold", pythonStart.median, "ms")
            bench.report.yardstick("Python client: memory of the process", pythonMemory.median, "MB")
        }
        bench.report.measured("memory of the process after the first verdict", memory.median, "MB")
        bench.report.measured("a further question", question.median, "µs")
        bench.report.measured("cold, the slowest of \(Self.processes) processes", cold.percentile(100), "ms")
        bench.report.result(
            "first verdict, cold", cold.median, "ms", .init(stage: "full", side: .atMost, limit: 5))
        bench.report.result(
            "first verdict, warm", warm.median, "ms", .init(stage: "full", side: .atMost, limit: 0.2))
        try await poll(&bench)
        bench.report.note(
            "From the configuration with the pinned key to `isEntitled`: lock, files, signature, JSON, clocks. Memory is resident "
                + "and anonymous.")
    }

    /// Lets a client fetch once, and gives the service's key.
    private func keepSnapshot(in directory: String, _ bench: Bench) async throws -> String {
        let clock = LeapingClock(at: Milliseconds(Date().timeIntervalSince1970 * 1000))
        let service = try PlayedService(clock: clock, polls: 1)
        let client = try EntitledClient(
            configuration: try service.configuration(directory: directory, installation: nil))
        await client.start()
        for await update in client.updates where try update.payloadValue.snapshot != nil { break }
        await client.stop()
        return service.publicKey
    }

    private func poll(_ bench: inout Bench) async throws {
        bench.says("\(Self.polls) polls")
        let memory = "/dev/shm"
        // In memory where there is such a place: waiting for the disk is not what is looked at.
        let folder = FileManager.default.isWritableFile(atPath: memory) ? memory : bench.scratch.path
        let directory = "\(folder)/entitled-bench-polls-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let service = try PlayedService(clock: LeapingClock(), polls: Self.polls)
        let client = try EntitledClient(
            configuration: try service.configuration(directory: directory, installation: PlayedService.installation))
        let observer = Task { for await _ in client.updates {} }
        await client.start()
        let early = await service.footprint(after: Self.polls / 4)
        let late = await service.footprint(after: Self.polls)
        await client.stop()
        observer.cancel()
        bench.report.measured("file handles after 25,000 polls", Double(early.files), "handles")
        bench.report.measured("file handles after 100,000 polls", Double(late.files), "handles")
        bench.report.measured("resident memory after 25,000 polls", Double(early.memory) / 1024 / 1024, "MB")
        bench.report.measured("resident memory after 100,000 polls", Double(late.memory) / 1024 / 1024, "MB")
    }
}
