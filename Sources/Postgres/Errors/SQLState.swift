/// A five-character SQLSTATE, for example `23505`.
///
/// Unknown codes survive as they are. `SQLState.Class` matches all codes of a class:
/// `if case .transactionRollback = state.class`.
public struct SQLState: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The five characters.
    public let rawValue: String

    /// Takes the five characters as they came from the server.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The first two characters, which say what kind of condition it is.
    public var `class`: Class {
        Class(rawValue: String(rawValue.prefix(2)))
    }

    /// The five characters.
    public var description: String { rawValue }

    /// The first two characters of a SQLSTATE.
    public struct Class: RawRepresentable, Sendable, Hashable {
        /// The two characters.
        public let rawValue: String

        /// Takes the two characters.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// 08: the connection failed or was refused.
        public static let connectionException = Class(rawValue: "08")
        /// 22: a value cannot be used. Its messages repeat the value.
        public static let dataException = Class(rawValue: "22")
        /// 23: a constraint refused the write.
        public static let integrityConstraintViolation = Class(rawValue: "23")
        /// 40: the transaction was rolled back and may be tried again.
        public static let transactionRollback = Class(rawValue: "40")
        /// 42: syntax error, or an object that does not exist.
        public static let syntaxErrorOrAccessRuleViolation = Class(rawValue: "42")
        /// 53: memory, disk or connections are used up.
        public static let insufficientResources = Class(rawValue: "53")
        /// 55: an object is not in the needed state, or is locked.
        public static let objectNotInPrerequisiteState = Class(rawValue: "55")
        /// 57: an administrator or a timeout intervened.
        public static let operatorIntervention = Class(rawValue: "57")
    }

    /// Lets a class be used as a pattern for a state.
    public static func ~= (pattern: Class, state: SQLState) -> Bool {
        state.class == pattern
    }
}

extension SQLState {
    /// 0A000
    public static let featureNotSupported = SQLState(rawValue: "0A000")
    /// 22P02
    public static let invalidTextRepresentation = SQLState(rawValue: "22P02")
    /// 22023
    public static let invalidParameterValue = SQLState(rawValue: "22023")
    /// 22012
    public static let divisionByZero = SQLState(rawValue: "22012")
    /// 22008
    public static let datetimeFieldOverflow = SQLState(rawValue: "22008")
    /// 23502
    public static let notNullViolation = SQLState(rawValue: "23502")
    /// 23503
    public static let foreignKeyViolation = SQLState(rawValue: "23503")
    /// 23505
    public static let uniqueViolation = SQLState(rawValue: "23505")
    /// 23514
    public static let checkViolation = SQLState(rawValue: "23514")
    /// 25006: for example a write on a standby.
    public static let readOnlyTransaction = SQLState(rawValue: "25006")
    /// 25P02: an earlier statement of the transaction failed.
    public static let inFailedTransaction = SQLState(rawValue: "25P02")
    /// 26000: the statement's preparation failed just before.
    public static let invalidStatementName = SQLState(rawValue: "26000")
    /// 3D000
    public static let undefinedDatabase = SQLState(rawValue: "3D000")
    /// 40001
    public static let serializationFailure = SQLState(rawValue: "40001")
    /// 40P01
    public static let deadlockDetected = SQLState(rawValue: "40P01")
    /// 42601
    public static let syntaxError = SQLState(rawValue: "42601")
    /// 42501
    public static let insufficientPrivilege = SQLState(rawValue: "42501")
    /// 42P01
    public static let undefinedTable = SQLState(rawValue: "42P01")
    /// 42P04
    public static let duplicateDatabase = SQLState(rawValue: "42P04")
    /// 42P07
    public static let duplicateTable = SQLState(rawValue: "42P07")
    /// 53300
    public static let tooManyConnections = SQLState(rawValue: "53300")
    /// 55P03: `lock_timeout` ran out, or NOWAIT met a lock.
    public static let lockNotAvailable = SQLState(rawValue: "55P03")
    /// 57014: `statement_timeout` ran out, or the statement was cancelled.
    public static let queryCanceled = SQLState(rawValue: "57014")
    /// 57P01: the session was ended by an administrator or a shutdown.
    public static let adminShutdown = SQLState(rawValue: "57P01")
    /// P0001
    public static let raiseException = SQLState(rawValue: "P0001")
}
