import EntitledClient
import Entitlements
import Foundation

/// A process that has just begun, and asks a client with a kept snapshot its first question: the other half of
/// `entitled bench client`.
public struct ClientStart {
    private static let variable = "ENTITLED_BENCH_CLIENT"

    /// Microseconds from the configuration to the first verdict, the first time in a process.
    let cold: Double
    /// The same once more in that process, with a new client.
    let warm: Double
    /// A further question to a client that is there.
    let question: Double
    /// Anonymous memory of the process after the first verdict, in bytes.
    let memory: Double

    /// Measures in this process and prints one line of numbers.
    public static func measure() async throws {
        guard let setting = ProcessInfo.processInfo.environment[variable] else {
            throw BenchmarkError("this is the part of `entitled bench client` that it starts itself")
        }
        let words = setting.split(separator: " ").map(String.init)
        guard words.count == 4, let account = AccountID(words[2]), let url = URL(string: "http://127.0.0.1:1") else {
            throw BenchmarkError("\(variable) is not what the benchmark sets")
        }
        func verdict() async throws -> (EntitledClient, Double) {
            let clock = ContinuousClock()
            let start = clock.now
            let client = try EntitledClient(
                configuration: ClientConfiguration(
                    service: url, bundleId: words[3], account: account, pinnedKeys: try PinnedKeys(key: words[1]),
                    storageDirectory: URL(filePath: words[0]), token: { nil }))
            let answer = await client.isEntitled(to: "pro")
            let time = (clock.now - start) / .microseconds(1)
            guard answer.access == .active else { throw BenchmarkError("the first verdict is \(answer.access)") }
            return (client, time)
        }
        let cold = try await verdict().1
        let memory = ProcessUsage(of: ProcessInfo.processInfo.processIdentifier).memory
        var warm = Samples()
        for _ in 0..<50 { warm.add(try await verdict().1) }
        let (client, _) = try await verdict()
        let clock = ContinuousClock()
        let questions = 10_000
        let start = clock.now
        for _ in 0..<questions { _ = await client.isEntitled(to: "pro") }
        let question = (clock.now - start) / .microseconds(1) / Double(questions)
        print("\(cold) \(warm.median) \(question) \(memory)")
    }

    /// Starts a process that measures.
    init(directory: String, key: String, _ bench: Bench) throws {
        let setting = "\(directory) \(key) \(PlayedService.account) \(PlayedService.bundleId)"
        let process = try ChildProcess(
            [bench.executable, "bench", "client-start"], environment: [Self.variable: setting])
        let numbers = try process.numbers()
        guard numbers.count == 4 else { throw BenchmarkError("the process that starts a client failed") }
        (cold, warm, question, memory) = (numbers[0], numbers[1], numbers[2], numbers[3])
    }
}
