import FoundationEssentials
import Glibc

/// The file of a service's keys: readable by its owner only.
public struct KeyFile: Sendable {
    /// Where it is.
    public let path: String

    /// The file at a path; nothing is read yet.
    public init(path: String) {
        self.path = path
    }

    /// Whether there is something at the path.
    public var exists: Bool { access(path, F_OK) == 0 }

    /// Reads the keys. Throws `keys`, also if others than the owner may read the file.
    public func read() throws(ServiceError) -> ServiceKeys {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw ServiceError(.keys, "there is no key file \(path): make one with `entitled keys new --file \(path)`")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw ServiceError(.keys, "others may read the key file \(path): run chmod 600 on it, and change the keys")
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ServiceError(.keys, "the key file \(path) cannot be read: its owner must be the service's user")
        }
        return try ServiceKeys(json: Array(data))
    }

    /// Writes the keys: the file is the old one or the new one, never a part. Throws `keys`.
    public func write(_ keys: ServiceKeys) throws(ServiceError) {
        let bytes: [UInt8]
        do {
            bytes = try keys.json()
        } catch {
            throw ServiceError(.keys, "the keys cannot be written as text: \(error)")
        }
        let draft = "\(path).\(getpid()).new"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(draft) }
        let written = Glibc.write(descriptor, bytes, bytes.count)
        let isSafe = written == bytes.count && fsync(descriptor) == 0
        close(descriptor)
        guard isSafe, rename(draft, path) == 0 else {
            let error = failure(path)
            unlink(draft)
            throw error
        }
    }

    private func failure(_ path: String) -> ServiceError {
        ServiceError(.keys, "cannot write \(path): \(String(cString: strerror(errno)))")
    }
}
