import Glibc
public import Postgres

/// One private PostgreSQL for the whole test process, started when the first test needs it.
///
/// It does not wait for the disk (`fsync` off), which is allowed here only. A small shell process waits for the end of the
/// test process, however it ends, and then stops the server and removes its files.
public enum TestCluster {
    private static let started = Result { () throws(PostgresError) in try start() }

    /// The running cluster; throws what its start threw.
    public static var shared: LocalCluster {
        get throws { try started.get() }
    }

    private static func start() throws(PostgresError) -> LocalCluster {
        var path = Array("/tmp/entitled-test-XXXXXX".utf8CString)
        guard mkdtemp(&path) != nil else { throw PostgresError(.localCluster, "cannot make a directory in /tmp") }
        let root = String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        chmod(root, 0o755)
        let cluster = LocalCluster(
            directory: "\(root)/cluster",
            settings: ["max_connections": "300", "shared_buffers": "64MB", "max_wal_size": "1GB"], isDurable: false)
        try removeAtExit(root)
        try cluster.start()
        return cluster
    }

    /// The shell reads a pipe whose other end only this process holds: end of file means that this process has ended.
    private static func removeAtExit(_ root: String) throws(PostgresError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0, fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0 else {
            throw PostgresError(.localCluster, "no pipe: too many open files")
        }
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A process group of its own: an interrupt from the keyboard must not end it before its work is done.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))

        let script = """
            cat >/dev/null
            pid=$(head -n 1 "$1/cluster/data/postmaster.pid") && kill -QUIT "$pid"
            for i in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$pid" || break; sleep 0.2; done
            rm -rf "$1"
            """
        let command = ["/bin/sh", "-c", script, "sh", root]
        let ownedArguments = command.map { strdup($0) }
        defer { for pointer in ownedArguments { free(pointer) } }
        var pid: pid_t = 0
        let environment: [UnsafeMutablePointer<CChar>?] = [nil]
        guard posix_spawn(&pid, "/bin/sh", &actions, &attributes, ownedArguments + [nil], environment) == 0 else {
            throw PostgresError(.localCluster, "cannot run /bin/sh")
        }
    }
}
