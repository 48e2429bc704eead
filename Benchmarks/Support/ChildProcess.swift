import Foundation

/// A program that answers each line on its standard input with a line.
final class ChildProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var pending: [UInt8] = []
    private let name: String

    /// Starts a program that the shell's search path finds. Standard error goes to `log`, or to ours.
    init(_ command: [String], environment: [String: String] = [:], log: FileHandle? = nil) throws {
        name = command.first.map { URL(filePath: $0).lastPathComponent } ?? ""
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        if let log { process.standardError = log }
        do { try process.run() } catch { throw BenchmarkError("\(name) cannot be started: \(error)") }
    }

    deinit { if process.isRunning { process.terminate() } }

    /// `env` becomes the program, so this is its id.
    var processID: Int32 { process.processIdentifier }

    /// Sends a line and waits for the answer's words.
    func ask(_ line: String) throws -> [String] {
        try send(line)
        return try answer()
    }

    /// Sends a line.
    func send(_ line: String) throws {
        do { try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8)) } catch {
            throw BenchmarkError("\(name) does not listen any more")
        }
    }

    /// Waits for a line, cut into words. Blocks.
    func answer() throws -> [String] {
        while true {
            if let end = pending.firstIndex(of: 10) {
                let line = String(decoding: pending[..<end], as: UTF8.self)
                pending.removeSubrange(...end)
                return line.split(separator: " ").map(String.init)
            }
            // Not FileHandle's own reading, which waits until it has as many bytes as it was asked for.
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = read(output.fileHandleForReading.fileDescriptor, &bytes, bytes.count)
            guard count > 0 else { throw BenchmarkError("\(name) ended before it answered") }
            pending += bytes[..<count]
        }
    }

    /// Waits for a line of numbers.
    func numbers() throws -> [Double] {
        let words = try answer()
        let numbers = words.compactMap { Double($0) }
        guard numbers.count == words.count, !numbers.isEmpty else {
            throw BenchmarkError("\(name) answered no numbers: \(words.joined(separator: " "))")
        }
        return numbers
    }

    /// Ends its input, or asks it to end with a signal, and waits for it.
    func end(signalled: Bool = false) {
        try? input.fileHandleForWriting.close()
        if signalled { process.terminate() }
        process.waitUntilExit()
    }

    /// What a program prints until it ends well. Throws if it fails.
    @discardableResult
    static func output(of command: [String]) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        do { try process.run() } catch { throw BenchmarkError("\(command[0]) cannot be started: \(error)") }
        let data = (try? output.fileHandleForReading.readToEnd()) ?? Data()
        process.waitUntilExit()
        let text = String(decoding: data, as: UTF8.self)
        guard process.terminationStatus == 0 else {
            throw BenchmarkError("\(command[0]) failed: \(text.suffix(2000))")
        }
        return text
    }
}
