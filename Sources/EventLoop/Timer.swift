extension EventLoop {
    /// Something the loop will do later, once. Made by ``EventLoop/schedule(after:_:)``.
    public final class Timer: Sendable {
        private let loop: EventLoop
        let deadline: Int64
        // Both are touched on the loop's thread only (by the heap, and by `cancel` after its check).
        nonisolated(unsafe) var heapIndex = Timer.notScheduled
        nonisolated(unsafe) private var body: (@Sendable () -> Void)?

        static let notScheduled = -1

        init(loop: EventLoop, deadline: Int64, body: @escaping @Sendable () -> Void) {
            self.loop = loop
            self.deadline = deadline
            self.body = body
        }

        func start() {
            guard loop.isOnLoop else { return loop.execute { self.start() } }
            // Without a body it was cancelled before the loop heard of it.
            if body != nil { loop.state.add(self) }
        }

        /// Takes the timer back. On the loop it never fires after this returns; from elsewhere it may still fire
        /// before the loop gets the message. No effect once it has fired.
        public func cancel() {
            guard loop.isOnLoop else { return loop.execute { self.cancel() } }
            body = nil
            loop.state.timers.remove(self)
        }

        /// Runs the body, unless cancelled. On the loop, by the heap's owner.
        func fire() {
            let body = self.body
            self.body = nil
            body?()
        }
    }
}
