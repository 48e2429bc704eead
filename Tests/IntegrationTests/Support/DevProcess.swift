import AppStoreSimulator
import Entitlements
import Foundation
import Postgres
import Service
import Signatures
import Synchronization

/// `entitled dev` as a process of its own: it can be killed, and its database too.
final class DevProcess: Sendable {
    /// Where it keeps everything; outlives the process.
    let state: URL
    private let running = Mutex<(process: pid_t, ready: JSONObject)?>(nil)

    /// Prepares a state directory; nothing runs yet.
    init() throws {
        state = FileManager.default.temporaryDirectory.appending(path: "entitled-dev-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
        try Data(authority.root.der).write(to: root)
    }

    private var errors: URL { state.appending(path: "errors.log") }
    private var root: URL { state.appending(path: "trusted-root.der") }

    /// What it said when it was ready.
    var ready: JSONObject { running.withLock { $0?.ready } ?? JSONObject() }

    /// Where it serves; another one at each start.
    var port: Int { ready["url"]?.stringValue?.split(separator: ":").last.flatMap { Int($0) } ?? 0 }

    var client: HTTPClient { HTTPClient(port: port) }

    func token(_ scope: String) -> String { ready["tokens"]?.objectValue?[scope]?.stringValue ?? "" }

    /// The executable beside the test bundle.
    static var executable: URL {
        get throws {
            var directory = URL(filePath: CommandLine.arguments[0]).standardizedFileURL
            for _ in 0..<6 {
                directory.deleteLastPathComponent()
                let candidate = directory.appending(path: "entitled")
                if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
            }
            return try buildDirectory().appending(path: "entitled")
        }
    }

    /// Where SwiftPM put this test bundle: the test runner itself may be the toolchain's.
    private static func buildDirectory() throws -> URL {
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? Bundle.main.bundlePath
        return URL(filePath: bundle).deletingLastPathComponent()
    }

    /// Starts it and waits until it is ready. Spawned by hand: Foundation's `Process` takes the end of all that a child
    /// started for the child's own, and PostgreSQL outlives it here.
    func start() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure(message: "no pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, errors.path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let arguments = [
            try Self.executable.path, "dev", "--json", "--state", state.path, "--listen", "127.0.0.1:0",
            "--trust-root", root.path,
        ]
        var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { pointers.forEach { free($0) } }
        var process: pid_t = 0
        let status = posix_spawn(&process, arguments[0], &actions, nil, &pointers, environ)
        close(ends[1])
        defer { close(ends[0]) }
        guard status == 0 else { throw Failure(message: "\(arguments[0]) cannot be started") }
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !line.contains(UInt8(ascii: "\n")) {
            let count = read(ends[0], &buffer, buffer.count)
            if count <= 0 {
                let said = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
                throw Failure(message: "entitled dev ended before it was ready: \(said)")
            }
            line += buffer[..<count]
        }
        guard let ready = try JSONValue(parsing: line.filter { $0 != UInt8(ascii: "\n") }).objectValue else {
            throw Failure(message: "entitled dev said something else than it should")
        }
        running.withLock { $0 = (process, ready) }
    }

    /// `kill -9` of the service. The database goes on.
    func killService() { stop(SIGKILL) }

    private func stop(_ signal: Int32) {
        let process = running.withLock { running in
            defer { running = nil }
            return running?.process
        }
        guard let process else { return }
        kill(process, signal)
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1, errno == EINTR {}
    }

    /// Its private PostgreSQL.
    private var cluster: LocalCluster { LocalCluster(directory: state.appending(path: "postgres").path) }

    /// `kill -9` of PostgreSQL's postmaster; returns when it is gone, which on a busy machine is a moment later.
    func killDatabase() throws {
        guard let process = cluster.processID else { throw Failure(message: "no postmaster") }
        kill(process, SIGKILL)
        // The postmaster is no child of this process, so nothing tells of its end; after SIGKILL it comes.
        while cluster.processID == process { usleep(1_000) }
    }

    /// Starts PostgreSQL again while the service lives.
    func startDatabase() throws { try cluster.start() }

    /// Ends all, and removes the state.
    func end() {
        stop(SIGTERM)
        // A service that was killed has left its database behind.
        try? cluster.stop()
        try? FileManager.default.removeItem(at: state)
    }

    struct Failure: Error, CustomStringConvertible {
        let message: String
        var description: String { message }
    }
}
