/// What this room reports: a stable code and a sentence that says what is wrong.
public struct SignatureError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The closed list of codes.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Base: String {
            case encoding, key, certificate, token, library
        }

        private let base: Base

        private init(_ base: Base) {
            self.base = base
        }

        /// The stable name.
        public var description: String { base.rawValue }

        /// Text that is not the base64, base64url or PEM it should be.
        public static let encoding = Code(.encoding)
        /// Not a key, or a key of another kind than asked for.
        public static let key = Code(.key)
        /// Not a certificate, or a field of it cannot be read.
        public static let certificate = Code(.certificate)
        /// Not a compact JWS.
        public static let token = Code(.token)
        /// OpenSSL refused an operation that should have worked.
        public static let library = Code(.library)
    }

    /// What kind of thing went wrong.
    public let code: Code
    /// What is wrong, for people. Never contains key material or the data itself.
    public let message: String

    /// Both parts in one line.
    public var description: String { "\(code): \(message)" }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
