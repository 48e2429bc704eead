import Benchmarks
import EntitledClient
import Entitlements
import Foundation
import Testing

/// A week of polls in seconds: what a client holds stays the same. It runs in a process of its own, where no other test
/// opens files or takes memory.
@Suite struct LongPollingTests {
    private static let marker = "ENTITLED_LONG_POLLING"
    /// `ENTITLED_POLLS` asks for more.
    private static let polls = ProcessInfo.processInfo.environment["ENTITLED_POLLS"].flatMap { Int($0) } ?? 20_000
    /// Bytes that the heap may grow by though nothing leaks.
    private static let slack = 6 << 20

    @Test func memoryAndFileHandlesStayFlat() async throws {
        guard ProcessInfo.processInfo.environment[Self.marker] == nil else { return try await pollForALongTime() }
        let process = Process()
        process.executableURL = URL(
            filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        process.arguments = Self.runnerArguments + ["--filter", "LongPollingTests"]
        process.environment = ProcessInfo.processInfo.environment.merging([Self.marker: "1"]) { $1 }
        let output = FileManager.default.temporaryDirectory.appending(path: "entitled-polls-\(UUID().uuidString).log")
        try Data().write(to: output)
        defer { try? FileManager.default.removeItem(at: output) }
        let handle = try FileHandle(forWritingTo: output)
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        while process.isRunning { try await Task.sleep(for: .milliseconds(50)) }
        let said = try String(contentsOf: output, encoding: .utf8)
        #expect(process.terminationStatus == 0, "\(said)")
        #expect(said.contains("polls: \(Self.polls)"), "the other process has not polled: \(said)")
    }

    /// How this process was told to run tests, without what it was told to choose.
    private static var runnerArguments: [String] {
        var arguments = ["--testing-library", "swift-testing"]
        if let index = CommandLine.arguments.firstIndex(of: "--test-bundle-path"),
            CommandLine.arguments.indices.contains(index + 1)
        {
            arguments += CommandLine.arguments[index...(index + 1)]
        }
        return arguments
    }

    /// In memory where there is such a place: waiting for the disk is not what is looked at.
    private static var fastDirectory: URL {
        let inMemory = URL(filePath: "/dev/shm")
        return FileManager.default.isWritableFile(atPath: inMemory.path)
            ? inMemory : FileManager.default.temporaryDirectory
    }

    private func pollForALongTime() async throws {
        let directory = Self.fastDirectory.appending(path: "entitled-polls-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        let clock = LeapingClock()
        let service = try PlayedService(clock: clock, polls: Self.polls)
        let configuration = try service.configuration(
            directory: directory.path, installation: PlayedService.installation)
        let client = try EntitledClient(configuration: configuration)
        let observers = [client.updates, client.updates].map { stream in Task { for await _ in stream {} } }
        await client.start()
        let early = await service.footprint(after: Self.polls / 4)
        let late = await service.footprint(after: Self.polls)
        await client.stop()
        for observer in observers { observer.cancel() }
        print("polls: \(Self.polls), at first \(early), at last \(late)")
        #expect(late.files == early.files)
        #expect(late.memory - early.memory < Self.slack)
    }
}
