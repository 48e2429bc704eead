import Glibc

/// Runs a program to its end and collects what it printed. Blocks: for commands and tests, never on a loop.
struct LocalProcess {
    let status: Int32
    let output: String

    /// `arguments[0]` is a path. The environment is fresh, so that no PG* variable of the caller leads astray.
    static func run(_ arguments: [String]) throws(PostgresError) -> LocalProcess {
        let capture = try temporaryFile()
        defer { close(capture) }

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, capture, 1)
        posix_spawn_file_actions_adddup2(&actions, capture, 2)

        // Through a shell, since the caller's directory may be closed to the server's user.
        let command = ["/bin/sh", "-c", "cd / && exec \"$@\"", "sh"] + arguments
        let ownedArguments = command.map { strdup($0) }
        let environment = ["PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL=C"]
        let ownedEnvironment = environment.map { strdup($0) }
        defer { for pointer in ownedArguments + ownedEnvironment { free(pointer) } }
        var pid: pid_t = 0
        let failure = posix_spawn(
            &pid, command[0], &actions, nil, ownedArguments + [nil], ownedEnvironment + [nil])
        guard failure == 0 else {
            throw PostgresError(.localCluster, "cannot run \(arguments[0]): \(String(cString: strerror(failure)))")
        }
        var waited: Int32 = 0
        while waitpid(pid, &waited, 0) < 0, errno == EINTR {}
        // As WIFEXITED and WEXITSTATUS, which Swift does not import.
        let status = waited & 0x7f == 0 ? (waited >> 8) & 0xff : -1
        return LocalProcess(status: status, output: contents(of: capture))
    }

    /// A file rather than a pipe: a server that stays in the background would keep a pipe open.
    private static func temporaryFile() throws(PostgresError) -> Int32 {
        var path = Array("/tmp/entitled-output-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else {
            throw PostgresError(.localCluster, "cannot write to /tmp: \(String(cString: strerror(errno)))")
        }
        unlink(path)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    private static func contents(of descriptor: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let length = pread(descriptor, &buffer, buffer.count, 0)
        return String(decoding: buffer.prefix(max(0, length)), as: UTF8.self)
    }
}
