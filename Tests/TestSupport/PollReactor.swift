import Glibc
public import Postgres
import Synchronization

/// A reactor on a thread of its own, over poll(2): enough for tests of the Postgres room alone.
public final class PollReactor: SocketReactor {
    private struct State {
        var jobs: [UnownedJob] = []
        var watches: [ObjectIdentifier: Watch] = [:]
        var timers: [ObjectIdentifier: Timer] = [:]
        var thread: pthread_t?
    }

    private let state = Mutex(State())
    private let wakeDescriptor: Int32
    private let wakingDescriptor: Int32

    /// Tests share it.
    public static let shared = PollReactor()

    init() {
        var ends: [Int32] = [-1, -1]
        precondition(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        (wakeDescriptor, wakingDescriptor) = (ends[0], ends[1])
        let unmanaged = Unmanaged.passRetained(self)
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<PollReactor>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, unmanaged.toOpaque())
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        state.withLock { $0.jobs.append(unowned) }
        var byte: UInt8 = 1
        _ = write(wakingDescriptor, &byte, 1)
    }

    public func checkIsolated() {
        precondition(state.withLock { $0.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false })
    }

    public func watch(
        descriptor: Int32, interest: SocketInterest, handler: @escaping @Sendable (SocketInterest) -> Void
    ) -> any SocketWatch {
        let watch = Watch(reactor: self, descriptor: descriptor, interest: interest, handler: handler)
        state.withLock { $0.watches[ObjectIdentifier(watch)] = watch }
        return watch
    }

    public func schedule(after delay: Duration, handler: @escaping @Sendable () -> Void) -> any ReactorTimer {
        let timer = Timer(reactor: self, deadline: .now + delay, handler: handler)
        state.withLock { $0.timers[ObjectIdentifier(timer)] = timer }
        return timer
    }

    private func run() {
        state.withLock { $0.thread = pthread_self() }
        while true {
            runJobs()
            let watches = state.withLock { Array($0.watches.values) }
            var polled = [pollfd(fd: wakeDescriptor, events: Int16(POLLIN), revents: 0)]
            for watch in watches { polled.append(watch.pollRequest) }
            poll(&polled, nfds_t(polled.count), 5)
            var bytes: [UInt8] = Array(repeating: 0, count: 4096)
            _ = read(wakeDescriptor, &bytes, bytes.count)
            for (watch, result) in zip(watches, polled.dropFirst()) where result.revents != 0 {
                guard state.withLock({ $0.watches[ObjectIdentifier(watch)] != nil }) else { continue }
                watch.fire(result.revents)
                runJobs()
            }
            fireTimers()
        }
    }

    private func runJobs() {
        while true {
            let jobs = state.withLock { state in
                defer { state.jobs = [] }
                return state.jobs
            }
            if jobs.isEmpty { return }
            for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
        }
    }

    private func fireTimers() {
        let now = ContinuousClock.now
        let due = state.withLock { state in
            let due = state.timers.filter { $0.value.deadline <= now }
            for key in due.keys { state.timers[key] = nil }
            return due.values
        }
        for timer in due { timer.handler() }
    }

    final class Watch: SocketWatch {
        private let reactor: PollReactor
        private let descriptor: Int32
        private let interest: Mutex<SocketInterest>
        private let handler: @Sendable (SocketInterest) -> Void

        init(
            reactor: PollReactor, descriptor: Int32, interest: SocketInterest,
            handler: @escaping @Sendable (SocketInterest) -> Void
        ) {
            self.reactor = reactor
            self.descriptor = descriptor
            self.interest = Mutex(interest)
            self.handler = handler
        }

        var pollRequest: pollfd {
            let interest = interest.withLock { $0 }
            var events: Int32 = 0
            if interest.contains(.read) { events |= POLLIN }
            if interest.contains(.write) { events |= Int32(POLLOUT) }
            return pollfd(fd: interest.isEmpty ? -1 : descriptor, events: Int16(events), revents: 0)
        }

        func fire(_ events: Int16) {
            var ready: SocketInterest = []
            if events & Int16(POLLIN | POLLHUP | POLLERR) != 0 { ready.insert(.read) }
            if events & Int16(POLLOUT) != 0 { ready.insert(.write) }
            handler(ready)
        }

        func update(interest new: SocketInterest) { interest.withLock { $0 = new } }
        func cancel() { reactor.state.withLock { $0.watches[ObjectIdentifier(self)] = nil } }
    }

    final class Timer: ReactorTimer {
        private let reactor: PollReactor
        let deadline: ContinuousClock.Instant
        let handler: @Sendable () -> Void

        init(reactor: PollReactor, deadline: ContinuousClock.Instant, handler: @escaping @Sendable () -> Void) {
            self.reactor = reactor
            self.deadline = deadline
            self.handler = handler
        }

        func cancel() { reactor.state.withLock { $0.timers[ObjectIdentifier(self)] = nil } }
    }
}
