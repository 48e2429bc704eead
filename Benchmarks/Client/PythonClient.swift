import EntitledClient
import Entitlements
import Foundation

/// The Python client of the checkout, with the same snapshot on its disk.
struct PythonClient {
    private let command: [String]

    /// Nil, with a note in the report, where it cannot run.
    init?(besides directory: String, key: String, _ bench: inout Bench) throws {
        let files = FileManager.default
        let source = files.currentDirectoryPath + "/clients/python"
        guard files.fileExists(atPath: source + "/entitled_client") else {
            bench.report.note(
                "The Python client was not measured: there is no clients/python below the working directory.")
            return nil
        }
        let copy = bench.scratch.file("python-client")
        try files.copyItem(atPath: directory, toPath: copy)
        // What the JSON of the clock holds is each client's own.
        for account in try files.contentsOfDirectory(atPath: copy + "/accounts") {
            try files.removeItem(atPath: "\(copy)/accounts/\(account)/clock.json")
        }
        let script = try bench.scratch.write(PackageResources.client_start_py, to: "client_start.py")
        command = [
            "python3", script, source, copy, key, PlayedService.account.description, PlayedService.bundleId,
        ]
        do {
            _ = try start()
        } catch {
            bench.report.note("The Python client was not measured, since it cannot be started: \(error)")
            return nil
        }
    }

    /// Microseconds from the imports to the first verdict in a new process, and its memory in bytes.
    func start() throws -> (cold: Double, memory: Double) {
        let numbers = try ChildProcess(command).numbers()
        guard numbers.count == 2 else { throw BenchmarkError("the Python client's start failed") }
        return (numbers[0], numbers[1])
    }
}
