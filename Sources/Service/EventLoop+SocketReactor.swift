public import EventLoop
public import Postgres

/// Makes the loop what database sessions run on; neither room knows the other.
extension EventLoop: SocketReactor {
    /// Calls the handler whenever the descriptor is ready, until cancelled.
    public func watch(
        descriptor: Int32, interest: SocketInterest, handler: @escaping @Sendable (SocketInterest) -> Void
    ) -> any SocketWatch {
        watch(descriptor: descriptor, interest: Readiness(interest)) { handler(SocketInterest($0)) }
    }

    /// Calls the handler once after the given time, unless cancelled before.
    public func schedule(after delay: Duration, handler: @escaping @Sendable () -> Void) -> any ReactorTimer {
        let timer: Timer = schedule(after: delay, handler)
        return timer
    }
}

extension EventLoop.Watch: SocketWatch {
    /// Replaces what is watched for; the empty set pauses the watch.
    public func update(interest: SocketInterest) {
        update(Readiness(interest))
    }
}

extension EventLoop.Timer: ReactorTimer {}

extension Readiness {
    fileprivate init(_ interest: SocketInterest) {
        self = []
        if interest.contains(.read) { insert(.read) }
        if interest.contains(.write) { insert(.write) }
    }
}

extension SocketInterest {
    fileprivate init(_ readiness: Readiness) {
        self = []
        if readiness.contains(.read) { insert(.read) }
        if readiness.contains(.write) { insert(.write) }
    }
}
