import Foundation

/// What a process has used, as the kernel counts it.
struct ProcessUsage {
    /// The process that started it.
    let parent: Int32?
    /// Processor time, of user and system, in seconds.
    let cpu: Double
    /// Memory that is its own (resident, anonymous), in bytes.
    let memory: Double

    init(of process: Int32) {
        let stat = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
        // The program's name, in parentheses, may hold spaces; utime and stime are the 12th and 13th word behind it.
        let words = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
        parent = words.count > 13 ? Int32(words[2]) : nil
        let ticks = words.count > 13 ? (Double(words[12]) ?? 0) + (Double(words[13]) ?? 0) : .nan
        cpu = ticks / Double(sysconf(Int32(_SC_CLK_TCK)))

        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") } ?? ""
        memory = (line.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? .nan) * 1024
    }
}
