/// Everything that can go wrong between this process and PostgreSQL.
///
/// Messages hold no parameter values and no connection string, so they may be logged.
public struct PostgresError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong, as a closed set.
    public enum Code: Sendable, Hashable {
        /// No session could be made: wrong string, refused, wrong password.
        case connectionFailed
        /// The connection broke after the command had been handed over: it may or may not have been done.
        case connectionLost
        /// The connection broke or was closed before the command was handed over: it was not done.
        case notSent
        /// The server refused the command. Nothing of its unit was done.
        case server(SQLState)
        /// A time limit of this process ran out before anything was handed over.
        case timeout
        /// Server and session disagree about the protocol, or an operation is not allowed in this state.
        case protocolViolation
        /// A value is not of the type that was asked for.
        case decoding(PostgresDecodingFailure)
        /// The parameters do not fit the statement. Nothing was sent.
        case invalidParameters
        /// All sessions are lent and no more may wait, or the wait was too long.
        case poolExhausted
        /// More commands wait on one session than its limit allows. Nothing was sent.
        case overloaded
        /// The task was cancelled before anything was sent.
        case cancelled
        /// The session or pool was closed by its owner.
        case closed
        /// The private cluster could not be found, made, started or stopped.
        case localCluster
    }

    /// What went wrong.
    public let code: Code
    /// What is wrong and what to do, without secrets.
    public let message: String

    /// Makes an error; the message must not hold values or secrets.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The server's code, if the server refused the command.
    public var sqlState: SQLState? {
        if case .server(let state) = code { state } else { nil }
    }

    /// The command may have been done: repeat it only if repeating does no harm.
    public var isOutcomeUnknown: Bool {
        code == .connectionLost
    }

    /// The same command may succeed if it is sent again (after `connectionLost`, only if repeating does no harm).
    public var isRetryable: Bool {
        switch code {
        case .connectionFailed, .connectionLost, .notSent, .timeout, .poolExhausted, .overloaded: true
        case .protocolViolation, .decoding, .invalidParameters, .cancelled, .closed, .localCluster: false
        case .server(let state):
            switch state {
            case .lockNotAvailable, .queryCanceled, .adminShutdown, .tooManyConnections, .readOnlyTransaction,
                .invalidStatementName:
                true
            case SQLState.Class.transactionRollback, SQLState.Class.connectionException,
                SQLState.Class.insufficientResources:
                true
            default: false
            }
        }
    }

    /// Code and message for a log.
    public var description: String { "\(code): \(message)" }
}

/// A value that is not of the type that was asked for.
public struct PostgresDecodingFailure: Sendable, Hashable {
    /// The column's name in the result.
    public let column: String
    /// The Swift type that was asked for.
    public let expected: String
    /// What the result holds: a type, `NULL`, or what is wrong with the bytes.
    public let found: String
}
