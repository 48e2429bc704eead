import FoundationEssentials
import Glibc

/// A private PostgreSQL server in a directory: reachable by a Unix socket only, by its owner only.
///
/// For `entitled dev` and for tests. All calls block until the server programs have done their work.
/// Every call throws `localCluster`, with a message that says what to do.
public struct LocalCluster: Sendable {
    /// Holds the data, the log and, if its path is short enough, the socket.
    public let directory: String
    private let settings: [String: String]
    private let isDurable: Bool

    /// The socket's directory, so that several clusters can run at once on one port number.
    public let socketDirectory: String

    private static let port = 5432
    private static let user = "entitled"

    private var data: String { "\(directory)/data" }
    private var log: String { "\(directory)/server.log" }
    private var pidFile: String { "\(data)/postmaster.pid" }

    /// Describes a cluster; nothing is made yet. `settings` go into its configuration. Without `isDurable` it does not
    /// wait for the disk, and a power failure may destroy it: for tests only.
    public init(directory: String, settings: [String: String] = [:], isDurable: Bool = true) {
        let isAbsolute = directory.hasPrefix("/")
        let path = isAbsolute ? directory : FileManager.default.currentDirectoryPath + "/" + directory
        self.directory = path
        self.settings = settings
        self.isDurable = isDurable
        // A socket's path has at most 107 bytes on Linux.
        let fits = path.utf8.count + "/.s.PGSQL.\(Self.port)".utf8.count <= 107
        socketDirectory = fits ? path : "/tmp/entitled-" + Self.digest(of: path)
    }

    /// For `PostgresSession.connect`. Valid while the server runs.
    public func connectionString(database: String = "postgres") -> String {
        func quoted(_ value: String) -> String {
            var text = "'"
            for character in value {
                if character == "'" || character == "\\" { text.append("\\") }
                text.append(character)
            }
            return text + "'"
        }
        return "host=\(quoted(socketDirectory)) port=\(Self.port) user=\(Self.user) dbname=\(quoted(database))"
    }

    /// The server's process, if it runs.
    public var processID: Int32? {
        guard let text = try? String(contentsOfFile: pidFile, encoding: .utf8),
            let pid = text.split(separator: "\n").first.flatMap({ Int32($0) }), pid > 0, kill(pid, 0) == 0
        else { return nil }
        // After kill -9 or a reboot the number may belong to another program.
        let stat = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
        // "pid (name) state …": one that ended and that nobody has waited for is no server either.
        let state = stat.split(separator: ")").last?.first { $0 != " " }
        return stat.contains("(postgres") && state != "Z" && state != "X" ? pid : nil
    }

    /// Makes the cluster if it is new, and starts the server if it does not run.
    public func start() throws(PostgresError) {
        if isRunning() { return }
        let user = try ServerUser.choose()
        try user.makePrivateDirectory(directory)
        try user.checkReachable(directory)
        if socketDirectory != directory { try user.makePrivateDirectory(socketDirectory) }

        let version = try? String(contentsOfFile: "\(data)/PG_VERSION", encoding: .utf8)
        let programs = try ServerPrograms.find(majorVersion: version.map { String($0.prefix { !$0.isNewline }) })
        if version == nil { try initialize(programs, user) }
        try writeConfiguration(user)
        // Lock files without their server are left by kill -9 or a power failure. PostgreSQL itself takes a process that
        // ended and that nobody has waited for as alive.
        if processID == nil {
            unlink(pidFile)
            unlink("\(socketPath).lock")
        }
        try launch(programs, user)
    }

    /// Whether a server runs and takes connections. One that was just killed may still be there for a moment: it is waited
    /// for until it is gone.
    private func isRunning() -> Bool {
        for _ in 0..<100 {
            guard processID != nil else { return false }
            if acceptsConnections() { return true }
            usleep(100_000)
        }
        return processID != nil
    }

    private var socketPath: String { "\(socketDirectory)/.s.PGSQL.\(Self.port)" }

    private func acceptsConnections() -> Bool {
        let path = socketPath
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }

    /// Ends the server: running transactions are rolled back. Does nothing if it does not run.
    public func stop() throws(PostgresError) {
        guard processID != nil else { return }
        let user = try ServerUser.choose()
        let programs = try ServerPrograms.find()
        let run = try user.run(["\(programs.directory)/pg_ctl", "-D", data, "-m", "fast", "-w", "stop"])
        guard run.status == 0 || processID == nil else { throw failure("stop", run.output) }
    }

    private func initialize(_ programs: ServerPrograms, _ user: ServerUser) throws(PostgresError) {
        var command = ["\(programs.directory)/initdb", "-D", data, "-U", Self.user, "-A", "trust", "-E", "UTF8"]
        command += ["--no-locale", "--no-instructions"]
        if !isDurable { command.append("--no-sync") }
        let run = try user.run(command)
        guard run.status == 0 else { throw failure("make", run.output) }
    }

    /// In a file of its own, so that what a person writes into postgresql.conf stays.
    private func writeConfiguration(_ user: ServerUser) throws(PostgresError) {
        var all = settings
        all["listen_addresses"] = ""
        all["unix_socket_directories"] = "\"\(socketDirectory)\""
        all["port"] = String(Self.port)
        if !isDurable {
            // Commits still reach the kernel, so that nothing is lost if only the server is killed.
            for name in ["fsync", "full_page_writes"] { all[name] = "off" }
        }
        var text = ""
        for (name, value) in all.sorted(by: { $0.key < $1.key }) {
            text +=
                "\(name) = '\(value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''"))'\n"
        }
        let file = "\(data)/entitled.conf"
        let include = "include_if_exists 'entitled.conf'"
        let main = "\(data)/postgresql.conf"
        do {
            try text.write(toFile: file, atomically: false, encoding: .utf8)
            let existing = try String(contentsOfFile: main, encoding: .utf8)
            if !existing.contains(include) {
                try "\(existing)\n\(include)\n".write(toFile: main, atomically: false, encoding: .utf8)
            }
        } catch {
            throw PostgresError(.localCluster, "cannot write the configuration in \(data): see its owner and mode")
        }
        guard chown(file, user.id, user.group) == 0 else {
            throw PostgresError(.localCluster, "cannot give \(file) to the server's user")
        }
    }

    private func launch(_ programs: ServerPrograms, _ user: ServerUser) throws(PostgresError) {
        let command = ["\(programs.directory)/pg_ctl", "-D", data, "-l", log, "-w", "-t", "60", "-s", "start"]
        var reason = ""
        // After kill -9 the children of the old server need a moment to leave its shared memory.
        for _ in 0..<40 {
            let run = try user.run(command)
            if run.status == 0 { return }
            reason = run.output + lastLines()
            guard reason.contains("shared memory block") else { break }
            usleep(250_000)
        }
        throw failure("start", reason)
    }

    private func lastLines() -> String {
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").suffix(4).joined(separator: "\n")
    }

    private func failure(_ action: String, _ output: String) -> PostgresError {
        PostgresError(.localCluster, "could not \(action) the private PostgreSQL in \(directory): \(output)")
    }

    /// FNV-1a: only to give each path its own short name; the directory's owner is checked.
    private static func digest(of path: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in path.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 36)
    }
}
