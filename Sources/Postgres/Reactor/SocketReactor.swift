/// What a descriptor is watched for, and what it turned out to be ready for.
public struct SocketInterest: OptionSet, Sendable, Hashable {
    /// The bits of the set.
    public let rawValue: UInt8

    /// Makes a set of its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Bytes, end of stream or an error can be read.
    public static let read = SocketInterest(rawValue: 1)
    /// Bytes can be written, or a connect has ended.
    public static let write = SocketInterest(rawValue: 2)
}

/// A watched descriptor. Used on its reactor only.
public protocol SocketWatch: AnyObject, Sendable {
    /// Replaces what is watched for; the empty set pauses the watch.
    func update(interest: SocketInterest)

    /// Ends the watch before the descriptor is closed. The handler is not called again, and is let go.
    func cancel()
}

/// A timer that fires once. Used on its reactor only.
public protocol ReactorTimer: AnyObject, Sendable {
    /// Ends the timer. The handler is not called again, and is let go.
    func cancel()
}

/// What a session needs from an event loop, so that this room does not depend on one.
///
/// A session is an actor whose executor is the reactor. Handlers run on the reactor but outside a job of the actor, so
/// a conforming type must implement `checkIsolated()` (true on its thread): `assumeIsolated` asks it.
public protocol SocketReactor: SerialExecutor {
    /// Calls the handler whenever the descriptor is ready (level-triggered), until cancelled. Called on the reactor.
    func watch(
        descriptor: Int32, interest: SocketInterest, handler: @escaping @Sendable (SocketInterest) -> Void
    ) -> any SocketWatch

    /// Calls the handler once after the given time, unless cancelled before. Called on the reactor.
    func schedule(after delay: Duration, handler: @escaping @Sendable () -> Void) -> any ReactorTimer
}
