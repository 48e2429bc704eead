import Foundation

/// One command of `entitled`.
protocol Command: Sendable {
    /// The word behind `entitled`.
    static var name: String { get }
    /// One line for the list of commands.
    static var summary: String { get }
    /// Usage, options and at least one example.
    static var help: String { get }
    /// Takes its arguments, down to the last.
    init(_ arguments: inout Arguments) throws
    /// Does it.
    func run() async throws -> ExitStatus
}

/// The exit status of every command.
enum ExitStatus: Int32 {
    /// Done.
    case done = 0
    /// The thing asked about failed.
    case failed = 1
    /// Wrong usage.
    case usage = 2
}

/// A failure that the person can do something about: exit 1, without a usage line.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Standard error, for what went wrong and what is going on.
enum Console {
    static func note(_ message: String) {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
    }

    static func error(_ message: String) {
        FileHandle.standardError.write(Data("entitled: \(message)\n".utf8))
    }
}
