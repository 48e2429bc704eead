import Foundation
import TestSupport

/// A run of `entitled` with arguments: what it printed, and how it ended.
struct CommandRun: Sendable {
    let status: Int32
    let output: String
    let errors: String

    /// Runs to the end, in the test's environment without its own settings, and with those of `environment`.
    static func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> CommandRun {
        try await RunningCommand(arguments, environment: environment).end()
    }
}

/// `entitled` in the background. Its output goes to files: a pipe would also be held open by every server that some other
/// test starts meanwhile.
struct RunningCommand: Sendable {
    private let process: pid_t
    private let output: URL
    private let errors: URL

    init(_ arguments: [String], environment: [String: String] = [:]) throws {
        let directory = FileManager.default.temporaryDirectory
        output = directory.appending(path: "command-\(UUID().uuidString).out")
        errors = directory.appending(path: "command-\(UUID().uuidString).err")
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output.path, O_WRONLY | O_CREAT, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errors.path, O_WRONLY | O_CREAT, 0o600)
        var variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("ENTITLED_") }
        variables.merge(environment) { _, own in own }
        let words = [try DevProcess.executable.path] + arguments
        var argv: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in argv + envp { free(pointer) } }
        var process: pid_t = 0
        guard posix_spawn(&process, words[0], &actions, nil, &argv, &envp) == 0 else {
            throw DevProcess.Failure(message: "\(words[0]) cannot be started")
        }
        self.process = process
    }

    /// What it has said on standard error so far.
    var saidSoFar: String { (try? String(contentsOf: errors, encoding: .utf8)) ?? "" }

    /// Sends a signal.
    func signal(_ number: Int32) { kill(process, number) }

    /// Waits for its end; a signal that ended it shows as its negative number.
    func end() async throws -> CommandRun {
        let status = try await onOwnThread { [process] in
            var status: Int32 = 0
            while waitpid(process, &status, 0) == -1, errno == EINTR {}
            return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
        }
        defer { for file in [output, errors] { try? FileManager.default.removeItem(at: file) } }
        return CommandRun(
            status: status, output: (try? String(contentsOf: output, encoding: .utf8)) ?? "", errors: saidSoFar)
    }
}
