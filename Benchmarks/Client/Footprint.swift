import Foundation

/// What the process holds.
package struct Footprint: Sendable {
    /// Open file handles.
    package let files: Int
    /// Resident bytes.
    package let memory: Int

    package static func now() -> Footprint {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        return Footprint(files: files, memory: (pages.flatMap { Int($0[1]) } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))))
    }
}
