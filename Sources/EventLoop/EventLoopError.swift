/// Something the room could not set up: a loop, a socket, a certificate.
public struct EventLoopError: Error, Equatable, CustomStringConvertible {
    /// What went wrong; stable, for programs.
    public struct Code: Sendable, Hashable {
        let name: String

        /// The kernel refused a resource a loop needs (descriptors, memory, threads).
        public static let resourcesExhausted = Code(name: "resourcesExhausted")
        /// The address is not a numeric IPv4 or IPv6 address, or cannot be bound.
        public static let addressUnusable = Code(name: "addressUnusable")
        /// A certificate or key could not be loaded, or they do not belong together.
        public static let certificateUnusable = Code(name: "certificateUnusable")
    }

    /// What went wrong; stable, for programs.
    public let code: Code
    /// What is wrong and what to do, for people.
    public let message: String

    /// The code and the message in one line.
    public var description: String { "\(code.name): \(message)" }
}
