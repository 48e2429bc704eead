public import FoundationEssentials

/// Reference data beside the checkout (`../shared`): genuine signed objects and worked cases, which the project's own
/// tree does not carry. `ENTITLED_SHARED` names another place.
public enum SharedFiles {
    /// The data is not there. Tests that need it fail: passing without it would prove nothing.
    public struct Missing: Error, CustomStringConvertible {
        /// Where it was looked for.
        public let path: String

        /// What is wrong and what to do.
        public var description: String {
            "\(path) cannot be read: put the reference data beside the checkout as ../shared, or set ENTITLED_SHARED"
        }
    }

    /// The directory `shared`.
    public static let directory: URL = {
        if let path = ProcessInfo.processInfo.environment["ENTITLED_SHARED"] { return URL(filePath: path) }
        var root = URL(filePath: #filePath)
        // SharedFiles.swift, TestSupport, Tests, the checkout.
        for _ in 0..<4 { root.deleteLastPathComponent() }
        return root.appending(path: "shared")
    }()

    /// The bytes of a file below `shared`.
    public static func bytes(_ path: String) throws -> [UInt8] {
        let url = directory.appending(path: path)
        guard let data = try? Data(contentsOf: url) else { throw Missing(path: url.path) }
        return Array(data)
    }

    /// The text of a file below `shared`.
    public static func text(_ path: String) throws -> String {
        String(decoding: try bytes(path), as: UTF8.self)
    }

    /// The names of the files in a directory below `shared`, sorted.
    public static func names(in path: String) throws -> [String] {
        let url = directory.appending(path: path)
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: url.path) else {
            throw Missing(path: url.path)
        }
        return names.sorted()
    }
}
