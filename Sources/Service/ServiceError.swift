/// Why the service cannot start, or a command cannot be carried out: a stable code and what to do.
public struct ServiceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The closed list of codes.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Base: String {
            case settings, keys, token, catalog, schema
        }

        private let base: Base

        private init(_ base: Base) { self.base = base }

        /// The stable name.
        public var description: String { base.rawValue }

        /// A setting is missing or cannot be used.
        public static let settings = Code(.settings)
        /// The key file is missing, unsafe or unreadable.
        public static let keys = Code(.keys)
        /// A token cannot be issued as asked for.
        public static let token = Code(.token)
        /// A catalog file is wrong.
        public static let catalog = Code(.catalog)
        /// The database's schema is not the one this program needs.
        public static let schema = Code(.schema)
    }

    /// What kind of thing went wrong.
    public let code: Code
    /// What is wrong and what to do. Holds no secret.
    public let message: String

    /// Both parts in one line.
    public var description: String { "\(code): \(message)" }

    /// An error of that kind.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
