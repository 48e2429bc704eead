import Entitlements

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The system calls that make files survive a crash. All of the client that is not portable Swift is in this folder.
enum Files {
    /// Makes a directory and those above it, readable by this user only.
    static func makeDirectory(_ path: String) throws(ClientError) {
        var current = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            current += part + "/"
            if mkdir(current, 0o700) != 0, errno != EEXIST { throw problem("make the directory", path) }
        }
    }

    /// The bytes of a file; nil when there is none. More than `limit` bytes is a problem: no file here is that long.
    static func read(_ path: String, limit: Int) throws(ClientError) -> [UInt8]? {
        let raw = open(path, O_RDONLY | O_CLOEXEC)
        if raw < 0, errno == ENOENT { return nil }
        let descriptor = try Descriptor(raw, "open", path)
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = readRetrying(descriptor.raw, &chunk)
            guard count >= 0 else { throw problem("read", path) }
            guard count > 0 else { return bytes }
            bytes.append(contentsOf: chunk[..<count])
            guard bytes.count <= limit else {
                throw ClientError(.storage, "\(lastPart(path)) is longer than \(limit) bytes")
            }
        }
    }

    /// Replaces a file as a whole: after a crash at any instant there is the old one or the new one.
    static func replace(_ path: String, with bytes: [UInt8]) throws(ClientError) {
        let temporary = path + ".new"
        do {
            let descriptor = try Descriptor(
                open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600), "create", temporary)
            try descriptor.write(bytes, to: temporary)
            try descriptor.synchronize(temporary)
        }
        guard rename(temporary, path) == 0 else { throw problem("replace", path) }
        try synchronizeDirectory(of: path)
    }

    /// Removes a file, if it is there.
    static func remove(_ path: String) throws(ClientError) {
        if unlink(path) != 0, errno != ENOENT { throw problem("remove", path) }
        try synchronizeDirectory(of: path)
    }

    /// Makes a new name in a directory last.
    static func synchronizeDirectory(of path: String) throws(ClientError) {
        let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = try Descriptor(open(directory, O_RDONLY | O_CLOEXEC), "open", directory)
        try descriptor.synchronize(directory)
    }

    static func problem(_ what: String, _ path: String) -> ClientError {
        // Only the last part of the path: what is above it names the person's home.
        ClientError(.storage, "cannot \(what) \(lastPart(path)): \(String(cString: strerror(errno)))")
    }

    private static func lastPart(_ path: String) -> Substring { path.split(separator: "/").last ?? "" }
}

/// An open file, closed when it goes.
struct Descriptor: ~Copyable {
    let raw: Int32

    init(_ raw: Int32, _ what: String, _ path: String) throws(ClientError) {
        guard raw >= 0 else { throw Files.problem(what, path) }
        self.raw = raw
    }

    deinit { close(raw) }

    /// Writes all the bytes.
    func write(_ bytes: [UInt8], to path: String) throws(ClientError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { buffer -> Int in
                #if canImport(Darwin)
                    Darwin.write(raw, buffer.baseAddress?.advanced(by: done), buffer.count - done)
                #elseif canImport(Musl)
                    Musl.write(raw, buffer.baseAddress?.advanced(by: done), buffer.count - done)
                #else
                    Glibc.write(raw, buffer.baseAddress?.advanced(by: done), buffer.count - done)
                #endif
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Files.problem("write", path) }
            done += count
        }
    }

    /// Waits until the file is on the disk.
    func synchronize(_ path: String) throws(ClientError) {
        guard fsync(raw) == 0 else { throw Files.problem("make lasting", path) }
    }
}

private func readRetrying(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
    while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        return count
    }
}

/// A file that only grows, each append lasting before it returns.
final class AppendFile {
    private let descriptor: Descriptor
    private let path: String
    private(set) var length: Int

    /// Opens or creates the file and cuts it to the length that was read as whole.
    init(_ path: String, length: Int) throws(ClientError) {
        self.path = path
        self.length = length
        descriptor = try Descriptor(open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600), "open", path)
        try cut()
        try Files.synchronizeDirectory(of: path)
    }

    /// Appends all of the bytes, or none if the disk refuses.
    func append(_ bytes: [UInt8]) throws(ClientError) {
        do {
            try descriptor.write(bytes, to: path)
            try descriptor.synchronize(path)
            length += bytes.count
        } catch {
            try? cut()
            throw error
        }
    }

    /// Makes the file empty.
    func empty() throws(ClientError) {
        length = 0
        try cut()
        try descriptor.synchronize(path)
    }

    private func cut() throws(ClientError) {
        guard ftruncate(descriptor.raw, off_t(length)) == 0 else { throw Files.problem("shorten", path) }
    }
}

/// Says that this process writes the files; the system takes it back when the process ends, however it ends.
final class FileLock {
    private let descriptor: Descriptor

    /// Takes the lock; nil when somebody else has it.
    init?(_ path: String) throws(ClientError) {
        descriptor = try Descriptor(open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600), "open", path)
        guard flock(descriptor.raw, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else { throw Files.problem("lock", path) }
            return nil
        }
    }
}
