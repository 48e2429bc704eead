/// What this library reports: a stable code and a sentence that says what is wrong and what to do.
public struct ClientError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The closed list of codes.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Base: String {
            case network, authentication, service, unverified, outboxFull, storage, readOnly, invalidInput
        }

        private let base: Base

        private init(_ base: Base) { self.base = base }

        /// The stable name.
        public var description: String { base.rawValue }

        /// The service was not reached, or somebody else answered in its place.
        public static let network = Code(.network)
        /// There is no token that the service takes.
        public static let authentication = Code(.authentication)
        /// The service refused; `problemCode` is its own code.
        public static let service = Code(.service)
        /// Data that should be signed by the service is not, or is not for this installation and account.
        public static let unverified = Code(.unverified)
        /// The outbox holds as much as it may.
        public static let outboxFull = Code(.outboxFull)
        /// A file cannot be read or written.
        public static let storage = Code(.storage)
        /// Another process writes; this one can only ask.
        public static let readOnly = Code(.readOnly)
        /// The caller passed something that cannot be right.
        public static let invalidInput = Code(.invalidInput)
    }

    /// What kind of thing went wrong.
    public let code: Code
    /// What is wrong, for people. Holds no token, no signed object and no account.
    public let message: String
    /// The `code` of the service's problem answer, such as `insufficientBalance`.
    public let problemCode: String?

    /// All of it in one line.
    public var description: String { "\(problemCode ?? code.description): \(message)" }

    init(_ code: Code, _ message: String, problemCode: String? = nil) {
        self.code = code
        self.message = message
        self.problemCode = problemCode
    }
}
