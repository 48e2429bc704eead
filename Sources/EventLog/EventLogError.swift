/// What can be wrong with a call to the event log, apart from `PostgresError`.
public struct EventLogError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, as a closed set.
    public enum Code: String, Sendable, Hashable {
        /// The batch contradicts itself or exceeds a limit: a fault of the program. Nothing was sent.
        case malformedBatch
        /// An environment that is none of Apple's four has no place in the log.
        case unknownEnvironment
        /// A migration that was applied has another text in this release.
        case migrationChanged
        /// The database is not one of this release: run `entitled migrate`.
        case notMigrated
        /// A value in the log cannot be what the service wrote.
        case corruptLog
    }

    /// What is wrong.
    public let code: Code
    /// What is wrong and what to do, without secrets.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Code and message for a log.
    public var description: String { "\(code.rawValue): \(message)" }
}
