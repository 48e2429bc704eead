/// The App Store environment that signed something. Environments are separate worlds (rules.md R5).
public struct Environment: RawRepresentable, Sendable, Hashable {
    /// Apple's spelling; unknown values are kept.
    public let rawValue: String

    /// An environment by Apple's spelling.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Real purchases.
    public static let production = Environment(rawValue: "Production")
    /// Sandbox, TestFlight and App Review.
    public static let sandbox = Environment(rawValue: "Sandbox")
    /// StoreKit testing in Xcode: signed by the developer's own machine.
    public static let xcode = Environment(rawValue: "Xcode")
    /// Apple's libraries' own tests.
    public static let localTesting = Environment(rawValue: "LocalTesting")

    /// The four known ones, in the order of their number in the log.
    public static let known: [Environment] = [.production, .sandbox, .xcode, .localTesting]
    /// Taken by a server in development mode only (rules.md R5).
    public var isDevelopmentOnly: Bool { self == .xcode || self == .localTesting }
}

extension Environment {
    /// The known ones differ in their first letter, and that is hashed many times a push.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue.utf8.first) }
}

extension Environment: CustomStringConvertible {
    /// Apple's spelling.
    public var description: String { rawValue }
}
