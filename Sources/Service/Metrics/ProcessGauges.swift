import Foundation
import Glibc

/// The process as the kernel sees it, under the names that Prometheus' clients use.
enum ProcessGauges {
    private static let startedAt = Date().timeIntervalSince1970

    static func read() -> [Gauge] {
        var gauges: [Gauge] = []
        func add(_ name: String, _ help: String, _ value: Double?, isCounter: Bool = false) {
            if let value { gauges.append(Gauge(name: name, help: help, value: value, isCounter: isCounter)) }
        }
        add("process_start_time_seconds", "When the process began to count, since 1970.", startedAt)
        add("process_cpu_seconds_total", "Processor time used.", cpuSeconds, isCounter: true)
        add("process_resident_memory_bytes", "Memory in use.", residentBytes)
        add("process_open_fds", "Open files and sockets.", openFiles)
        add("process_max_fds", "Files and sockets that may be open.", maximumFiles)
        return gauges
    }

    private static var cpuSeconds: Double? {
        var usage = rusage()
        guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return nil }
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1_000_000 }
    }

    /// The second number of statm: pages in memory.
    private static var residentBytes: Double? {
        let words = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return words.flatMap { $0.count > 1 ? Double($0[1]) : nil }.map { $0 * Double(sysconf(Int32(_SC_PAGESIZE))) }
    }

    private static var openFiles: Double? {
        // One of them is the directory itself.
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")).map { Double(max(0, $0.count - 1)) }
    }

    private static var maximumFiles: Double? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return Double(limit.rlim_cur)
    }
}
