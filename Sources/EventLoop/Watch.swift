import CLibevent

/// What a descriptor is, or should be, ready for. Hang-ups and errors show as readable.
public struct Readiness: OptionSet, Sendable, Hashable {
    /// The bits of the set.
    public let rawValue: UInt8

    /// A set of the given bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Bytes can be read, or the end of the stream has come.
    public static let read = Readiness(rawValue: 1)
    /// Bytes can be written.
    public static let write = Readiness(rawValue: 2)

    init(eventFlags: Int16) {
        self = []
        if Int32(eventFlags) & EV_READ != 0 { insert(.read) }
        if Int32(eventFlags) & EV_WRITE != 0 { insert(.write) }
    }

    var eventFlags: Int16 {
        var flags = EV_PERSIST
        if contains(.read) { flags |= EV_READ }
        if contains(.write) { flags |= EV_WRITE }
        return Int16(flags)
    }
}

extension EventLoop {
    /// A lasting interest in a descriptor somebody else owns. Made by ``EventLoop/watch(descriptor:interest:_:)``.
    ///
    /// The loop keeps it until ``cancel()``; cancel before the descriptor is closed.
    public final class Watch: Sendable {
        private let loop: EventLoop
        private let descriptor: Int32
        // All three are touched on the loop's thread only: every entry checks it or hops there.
        nonisolated(unsafe) private var ownedEvent: OpaquePointer?
        nonisolated(unsafe) private var interest: Readiness = []
        nonisolated(unsafe) private var handler: (@Sendable (Readiness) -> Void)?

        init(loop: EventLoop, descriptor: Int32, handler: @escaping @Sendable (Readiness) -> Void) {
            self.loop = loop
            self.descriptor = descriptor
            self.handler = handler
        }

        deinit {
            if let ownedEvent { event_free(ownedEvent) }
        }

        func start(_ interest: Readiness) {
            guard loop.isOnLoop else { return loop.execute { self.start(interest) } }
            loop.state.watches[ObjectIdentifier(self)] = self
            update(interest)
        }

        /// Changes what is waited for; an empty set pauses the watch. No effect after ``cancel()``.
        public func update(_ interest: Readiness) {
            guard loop.isOnLoop else { return loop.execute { self.update(interest) } }
            guard handler != nil, interest != self.interest else { return }
            self.interest = interest
            disarm()
            guard !interest.isEmpty else { return }
            let context = Unmanaged.passUnretained(self).toOpaque()
            // The loop's set of watches keeps the context alive for as long as the event is armed.
            ownedEvent = event_new(loop.state.base, descriptor, interest.eventFlags, watchIsReady, context)
            event_add(ownedEvent, nil)
        }

        /// Ends the watch. On the loop the handler is never called after this returns.
        public func cancel() {
            guard loop.isOnLoop else { return loop.execute { self.cancel() } }
            disarm()
            handler = nil
            loop.state.watches[ObjectIdentifier(self)] = nil
        }

        private func disarm() {
            guard let event = ownedEvent else { return }
            ownedEvent = nil
            event_free(event)
        }

        fileprivate func ready(_ readiness: Readiness) {
            let loop = self.loop
            handler?(readiness)
            loop.state.runPendingWork()
        }
    }
}

private let watchIsReady: event_callback_fn = { _, flags, context in
    guard let context else { return }
    let watch = Unmanaged<EventLoop.Watch>.fromOpaque(context).takeUnretainedValue()
    watch.ready(Readiness(eventFlags: flags))
}
