import Foundation

/// A directory for one run, on a real disk and enterable by a database server's user; removed at the end.
struct ScratchDirectory: Sendable {
    let path: String

    init() throws {
        path = "/var/tmp/entitled-bench-\(ProcessInfo.processInfo.processIdentifier)"
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        } catch {
            throw BenchmarkError("cannot make \(path): \(error.localizedDescription)")
        }
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    @discardableResult
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        let path = file(name)
        // Programs that were started a moment ago may be reading it.
        try Data(bytes).write(to: URL(filePath: path), options: .atomic)
        return path
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
