import Glibc
import Synchronization

/// One thread that waits for sockets, timers and work with libevent, and runs actors and tasks bound to it.
///
/// Nothing that runs on a loop may block: everything else of that loop would wait for it.
public final class EventLoop: Sendable {
    private let inbox: Inbox
    private let thread = LoopThread()
    // The reference is set once in `init`; what it refers to is used on the loop's thread only.
    nonisolated(unsafe) let state: LoopState

    /// Starts a loop with a thread of its own. Throws if the kernel has no descriptors or threads left.
    public init() throws(EventLoopError) {
        inbox = try Inbox()
        state = try LoopState(inbox: inbox)
        try thread.start { self.state.run(as: self) }
    }

    /// Whether the caller is running on this loop's thread.
    public var isOnLoop: Bool { thread.isCurrent }

    /// Time since some fixed instant, by a clock that is never set back.
    public var now: Duration { .nanoseconds(MonotonicClock.nanoseconds()) }

    /// Runs `body` on the loop, after what was queued before it. From any thread; a system call only from others.
    public func execute(_ body: @escaping @Sendable () -> Void) {
        add(.body(body))
    }

    /// Runs `body` on the loop and hands back what it returns.
    public func run<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            execute {
                do throws(Failure) {
                    continuation.resume(returning: .success(try body()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }

    /// Runs `body` on the loop once `delay` is over; at once after the current turn if it is zero or negative.
    @discardableResult
    public func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Timer {
        let (deadline, overflow) = MonotonicClock.nanoseconds()
            .addingReportingOverflow(max(.zero, delay).clampedNanoseconds)
        let timer = Timer(loop: self, deadline: overflow ? .max : deadline, body: body)
        timer.start()
        return timer
    }

    /// Calls `handler` on the loop whenever the descriptor is ready for one of `interest`, until cancelled.
    ///
    /// The descriptor stays the caller's; cancel the watch before closing it.
    public func watch(
        descriptor: Int32, interest: Readiness, _ handler: @escaping @Sendable (Readiness) -> Void
    ) -> Watch {
        let watch = Watch(loop: self, descriptor: descriptor, handler: handler)
        watch.start(interest)
        return watch
    }

    /// Stops the loop after the work queued so far and joins its thread. Timers and watches end without firing.
    ///
    /// Not from a task that runs on this loop: it would wait for itself. Work given to a stopped loop is dropped.
    public func shutdown() async {
        execute { self.state.isStopping = true }
        await thread.join()
    }

    func add(_ work: LoopWork) {
        if isOnLoop {
            state.add(work)
        } else {
            inbox.add(work)
        }
    }
}

extension EventLoop: SerialExecutor, TaskExecutor {
    /// Queues a job of an actor or task bound to this loop.
    public func enqueue(_ job: consuming ExecutorJob) {
        add(.job(UnownedJob(job)))
    }

    /// This loop as the executor of an actor (`unownedExecutor`).
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    /// This loop as the preferred executor of a task.
    public func asUnownedTaskExecutor() -> UnownedTaskExecutor { UnownedTaskExecutor(ordinary: self) }

    /// Lets `assumeIsolated` succeed for actors of this loop in its callbacks.
    public func checkIsolated() {
        precondition(isOnLoop, "not on this event loop")
    }
}
