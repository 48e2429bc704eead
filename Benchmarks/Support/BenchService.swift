import AppStore
import AppStoreSimulator
import Entitlements
import EventLoop
import Foundation
import Service
import Signatures

/// A service in a process of its own: what `entitled serve` runs, which trusts the benchmark's signing authority instead
/// of Apple's root.
public struct BenchService {
    private static let rootVariable = "ENTITLED_BENCH_ROOT"

    private let process: ChildProcess
    let port: Int

    /// Runs the service in this process until standard input ends. The settings are those of `entitled serve`, from the
    /// environment.
    public static func serve() async throws {
        let environment = ProcessInfo.processInfo.environment
        let settings = try ServiceSettings(environment: environment)
        guard let root = environment[rootVariable].flatMap({ FileManager.default.contents(atPath: $0) }) else {
            throw BenchmarkError("this is the part of `entitled bench` that the benchmarks start themselves")
        }
        let roots = [TrustedRoot(try Certificate(der: Array(root)), for: [Purchases.environment])]
        let log = Log(level: settings.logLevel) { SystemClock().now() }
        let service = try await ServiceInstance.start(
            settings, keys: try KeyFile(path: settings.keysFile).read(), options: .init(roots: roots), log: log)
        FileHandle.standardOutput.write(Data("\(service.port)\n".utf8))
        let input = FileHandle.standardInput
        await withCheckedContinuation { continuation in
            // A thread of its own: reading blocks.
            Thread.detachNewThread {
                _ = try? input.readToEnd()
                continuation.resume()
            }
        }
        await service.drain()
    }

    /// Starts one and waits until it is ready. It logs every request to a file, as in production.
    init(_ database: BenchDatabase, _ fleet: Fleet, _ bench: Bench) throws {
        let keys = KeyFile(path: bench.scratch.file("keys.json"))
        if !keys.exists { try keys.write(fleet.keys) }
        let logPath = bench.scratch.file("service.log")
        guard FileManager.default.createFile(atPath: logPath, contents: nil),
            let log = FileHandle(forWritingAtPath: logPath)
        else { throw BenchmarkError("cannot write \(logPath)") }
        process = try ChildProcess(
            [bench.executable, "bench", "service"],
            environment: [
                "ENTITLED_DATABASE_URL": database.connectionString, "ENTITLED_KEYS_FILE": keys.path,
                "ENTITLED_LISTEN": "127.0.0.1:0", "ENTITLED_DRAIN_SECONDS": "0", "ENTITLED_MAX_CONNECTIONS": "19500",
                "ENTITLED_MAX_HOLDS": "19500", "ENTITLED_ACCOUNT_RATE": "1000000", "ENTITLED_ACCOUNT_BURST": "1000000",
                Self.rootVariable: try bench.scratch.write(fleet.purchases.authority.root.der, to: "root.cer"),
            ], log: log)
        guard let port = try process.answer().first.flatMap({ Int($0) }) else {
            throw BenchmarkError("the service did not say its port; its log is \(logPath)")
        }
        self.port = port
    }

    /// What it has used so far.
    var usage: ProcessUsage { ProcessUsage(of: process.processID) }

    func stop() { process.end() }
}
