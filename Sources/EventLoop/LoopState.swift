import CLibevent
import Glibc

/// What belongs to the thread of one loop: libevent's base, timers, watches and work to run.
///
/// Not Sendable: used on the loop's thread only, except while being made and freed.
final class LoopState {
    /// Owned; freed in `deinit`.
    let base: OpaquePointer
    let inbox: Inbox
    var timers = TimerHeap()
    var watches: [ObjectIdentifier: EventLoop.Watch] = [:]
    var isStopping = false
    /// Run when the loop ends, for what must be freed before libevent's base is.
    var finishers: [() -> Void] = []

    /// The loop this belongs to, while it runs.
    private var executor: EventLoop?
    private var work: [LoopWork] = []
    private var ownedWakeEvent: OpaquePointer?
    private var ownedTimerEvent: OpaquePointer?
    /// The deadline libevent will wake us for.
    private var armedDeadline = Int64.max

    /// At most this many pieces of work between two looks at the sockets, so that neither starves the other.
    private static let workPerTurn = 4096

    init(inbox: Inbox) throws(EventLoopError) {
        let failure = EventLoopError(
            code: .resourcesExhausted, message: "libevent cannot start; raise the limit of open files")
        guard let config = event_config_new() else { throw failure }
        defer { event_config_free(config) }
        // No locks: a base is touched by its own thread only, and other threads wake it through the inbox.
        // The change list saves an epoll_ctl wherever interest goes off and on within one turn, as evhttp does.
        let flags = EVENT_BASE_FLAG_NOLOCK.rawValue | EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST.rawValue
        event_config_set_flag(config, Int32(flags))
        guard let base = event_base_new_with_config(config) else { throw failure }
        self.base = base
        self.inbox = inbox
    }

    deinit {
        watches.removeAll()
        if let ownedWakeEvent { event_free(ownedWakeEvent) }
        if let ownedTimerEvent { event_free(ownedTimerEvent) }
        event_base_free(base)
    }

    /// Turns the loop until it is told to stop, then runs what is left.
    func run(as executor: EventLoop) {
        self.executor = executor
        defer { self.executor = nil }
        let context = Unmanaged.passUnretained(self).toOpaque()
        ownedWakeEvent = event_new(base, inbox.wakeDescriptor, Int16(EV_READ | EV_PERSIST), loopWasWoken, context)
        event_add(ownedWakeEvent, nil)
        ownedTimerEvent = event_new(base, -1, 0, loopTimerIsDue, context)
        while !isStopping {
            event_base_loop(base, work.isEmpty ? EVLOOP_ONCE : EVLOOP_NONBLOCK)
            runPendingWork()
        }
        for finish in finishers { finish() }
        finishers = []
        work.append(contentsOf: inbox.takeAll(closing: true))
        while !work.isEmpty { runPendingWork() }
        timers.removeAll()
        watches.removeAll()
    }

    func add(_ item: LoopWork) { work.append(item) }

    func takeInbox() { work.append(contentsOf: inbox.takeAll()) }

    /// Runs queued work, also what that work queues, up to a bound. Only where no library call is on the stack.
    func runPendingWork() {
        guard let executor else { return }
        var done = 0
        while done < work.count, done < Self.workPerTurn {
            let item = work[done]
            done += 1
            switch item {
            case .job(let job):
                job.runSynchronously(
                    isolatedTo: executor.asUnownedSerialExecutor(), taskExecutor: executor.asUnownedTaskExecutor())
            case .body(let body): body()
            }
        }
        if done == work.count {
            work.removeAll(keepingCapacity: done <= Self.workPerTurn)
        } else {
            work.removeFirst(done)
        }
    }

    func add(_ timer: EventLoop.Timer) {
        timers.add(timer)
        armTimerEvent()
    }

    fileprivate func runDueTimers() {
        armedDeadline = .max
        // Timers set meanwhile are due later than this instant, so the round ends.
        let now = MonotonicClock.nanoseconds()
        while let timer = timers.popDue(at: now) { timer.fire() }
        armTimerEvent()
        runPendingWork()
    }

    private func armTimerEvent() {
        guard let deadline = timers.nextDeadline, deadline < armedDeadline else { return }
        armedDeadline = deadline
        let wait = max(0, deadline - MonotonicClock.nanoseconds())
        var interval = timeval(tv_sec: Int(wait / 1_000_000_000), tv_usec: Int(wait % 1_000_000_000 / 1_000))
        event_add(ownedTimerEvent, &interval)
    }
}

private let loopWasWoken: event_callback_fn = { _, _, context in
    guard let context else { return }
    let state = Unmanaged<LoopState>.fromOpaque(context).takeUnretainedValue()
    state.takeInbox()
    state.runPendingWork()
}

private let loopTimerIsDue: event_callback_fn = { _, _, context in
    guard let context else { return }
    Unmanaged<LoopState>.fromOpaque(context).takeUnretainedValue().runDueTimers()
}
