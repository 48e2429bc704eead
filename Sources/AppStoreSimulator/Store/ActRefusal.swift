import Entitlements

/// Why an act is not possible. Nothing has changed.
public struct ActRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// The closed list of codes.
    public enum Code: String, Sendable {
        /// The act cannot be read: an unknown act, a member missing or of another kind.
        case malformed
        /// No such customer, product, offer, transaction or request.
        case unknown
        /// The store's state does not allow it.
        case notAllowed
    }

    /// What kind of refusal.
    public let code: Code
    /// What is wrong and what to do.
    public let message: String

    /// Both in one line.
    public var description: String { "\(code.rawValue): \(message)" }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    static func unknown(_ message: String) -> ActRefusal { ActRefusal(.unknown, message) }
    static func notAllowed(_ message: String) -> ActRefusal { ActRefusal(.notAllowed, message) }
}
