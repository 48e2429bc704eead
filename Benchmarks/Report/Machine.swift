public import Entitlements
import Foundation

/// What the figures depend on: without it they say nothing.
public struct Machine: Sendable {
    /// The processor's name.
    public let processor: String
    /// Cores that the benchmark may use.
    public let cores: Int
    /// Memory in bytes.
    public let memory: UInt64
    /// The distribution and the kernel.
    public let system: String
    /// The versions of the programs and libraries, by name.
    public let versions: [(name: String, version: String)]
    /// How many processes wanted a core over the last minute before it began: above the number of cores, figures suffer.
    public let load: Double

    /// This machine. `versions` beyond those of the compiler and of OpenSSL are the benchmark's to add.
    static func current() -> Machine {
        let release = (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)) ?? ""
        let kernel = (try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)) ?? ""
        let load = (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8)) ?? ""
        let name = value(of: "PRETTY_NAME", in: release, separator: "=").replacing("\"", with: "")
        return Machine(
            processor: value(of: "model name", in: first(16_384, of: "/proc/cpuinfo"), separator: ":"),
            cores: ProcessInfo.processInfo.activeProcessorCount, memory: ProcessInfo.processInfo.physicalMemory,
            system: "\(name), Linux \(kernel.trimmingCharacters(in: .whitespacesAndNewlines))",
            versions: [
                ("Swift", line(of: ["swift", "--version"], containing: "Swift version")),
                ("cc", line(of: ["cc", "--version"])),
                ("OpenSSL", line(of: ["openssl", "version"])),
                ("libevent", line(of: ["pkg-config", "--modversion", "libevent"])),
                ("PostgreSQL", line(of: ["pg_config", "--version"])),
            ].filter { !$0.1.isEmpty }.map { (name: $0.0, version: $0.1) },
            load: load.split(separator: " ").first.flatMap { Double($0) } ?? 0)
    }

    /// All of it.
    public var json: JSONValue {
        [
            "processor": .string(processor), "cores": .integer(Int64(cores)), "memoryBytes": .integer(Int64(memory)),
            "system": .string(system), "loadBefore": JSONNumber(load).map(JSONValue.number) ?? .null,
            "versions": .object(JSONObject(versions.map { ($0.name, .string($0.version)) })),
        ]
    }

    /// In one line.
    public var summary: String {
        let gibibytes = String(format: "%.0f", Double(memory) / Double(1 << 30))
        return "\(cores) cores (\(processor)), \(gibibytes) GiB, \(system), load before \(load)"
    }

    private static func value(of name: String, in text: String, separator: Character) -> String {
        let line = text.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
        return line.split(separator: separator, maxSplits: 1).dropFirst().first?
            .trimmingCharacters(in: .whitespaces) ?? ""
    }

    private static func first(_ count: Int, of path: String) -> String {
        guard let file = FileHandle(forReadingAtPath: path) else { return "" }
        return String(decoding: (try? file.read(upToCount: count)) ?? Data(), as: UTF8.self)
    }

    /// The first line that a program prints, or the first with a word; empty if there is no such program.
    private static func line(of command: [String], containing word: String = "") -> String {
        guard let output = try? ChildProcess.output(of: command) else { return "" }
        return output.split(separator: "\n").first { word.isEmpty || $0.contains(word) }.map(String.init) ?? ""
    }
}
