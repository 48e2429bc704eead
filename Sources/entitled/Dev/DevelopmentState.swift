import AppStoreSimulator
import Entitlements
import Foundation
import Postgres
import Service

/// What `entitled dev` keeps in its directory: database, keys, the authority that signs test data, the catalog.
struct DevelopmentState: Sendable {
    static let standardDirectory = ".entitled"

    /// Absolute.
    let directory: String

    init(_ directory: String) {
        let isAbsolute = directory.hasPrefix("/")
        let path = isAbsolute ? directory : FileManager.default.currentDirectoryPath + "/" + directory
        self.directory = URL(filePath: path).standardizedFileURL.path(percentEncoded: false)
    }

    var exists: Bool { keys.exists }
    var keys: KeyFile { KeyFile(path: path("keys.json")) }
    var authorityDirectory: URL { URL(filePath: path("authority")) }
    var connectionString: String { cluster.connectionString(database: "entitled") }

    func path(_ name: String) -> String { "\(directory)/\(name)" }

    /// The private server. A directory below one that only root may enter is of no use to the unprivileged user that the server
    /// then runs as: its data go to /var/tmp, under a name that belongs to the directory.
    var cluster: LocalCluster {
        LocalCluster(
            directory: geteuid() == 0 && !isReachableByOthers ? Self.fallback(for: directory) : path("postgres"))
    }

    private var isReachableByOthers: Bool {
        var path = directory
        while path != "/", !path.isEmpty {
            var status = stat()
            if stat(path, &status) == 0, status.st_mode & 0o001 == 0 { return false }
            path = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
            if path.count > 1, path.hasSuffix("/") { path.removeLast() }
        }
        return true
    }

    private static func fallback(for directory: String) -> String {
        "/var/tmp/entitled-"
            + directory.utf8.map { byte in
                let character = Character(UnicodeScalar(byte))
                return character.isLetter || character.isNumber ? String(character) : "-"
            }.joined()
    }

    /// Makes the directory and takes it for this process; a second `entitled dev` on it is told so.
    func lock() throws -> FileHandle {
        do {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        } catch {
            throw CommandFailure("cannot make \(directory): choose another with --state")
        }
        let descriptor = open(path("lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            throw CommandFailure(
                "cannot open \(path("lock")): \(reason); mend its rights, or choose another with --state")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw CommandFailure("another `entitled dev` uses \(directory): stop it, or choose another with --state")
        }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// The keys, made at the first start.
    func loadKeys(at now: Milliseconds) throws -> ServiceKeys {
        if !keys.exists { try keys.write(try ServiceKeys.generate(at: now)) }
        return try keys.read()
    }

    /// The authority that signs test data, made at the first start.
    func authority() throws -> SigningAuthority { try SigningAuthority.kept(in: authorityDirectory) }
}
