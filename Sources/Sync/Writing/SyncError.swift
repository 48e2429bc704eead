/// Why something could not be decided or answered now.
public struct SyncError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, as a closed set.
    public enum Code: String, Sendable, Hashable {
        /// The database does not answer. Nothing is known to be stored; ask again.
        case databaseUnavailable
        /// Too much is waiting. Ask again later.
        case overloaded
        /// The app is not served, or has no catalog yet.
        case unknownApp
        /// Other writers were faster again and again. Ask again.
        case contended
        /// The database refuses what is to be stored: a fault of this release.
        case unstorable
        /// The log holds something that this release cannot read.
        case unreadableLog
    }

    /// What is wrong.
    public let code: Code
    /// For the operator's log; holds no secret.
    public let message: String

    /// An error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Code and message for a log.
    public var description: String { "\(code.rawValue): \(message)" }
}
