import Glibc
import Synchronization

/// The thread of one loop: started once, joined once.
final class LoopThread: Sendable {
    private struct Life {
        var isFinished = false
        var isJoined = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    /// pthread_t while the thread runs; 0 before and after (no thread has that id on Linux, and ids are used again).
    private let identity = Atomic<UInt>(0)
    /// pthread_t for the join.
    private let handle = Atomic<UInt>(0)
    private let life = Mutex(Life())

    var isCurrent: Bool { identity.load(ordering: .relaxed) == pthread_self() }

    /// Starts the thread. It keeps what `body` captures until `body` returns.
    func start(_ body: @escaping @Sendable () -> Void) throws(EventLoopError) {
        let box = ThreadBody {
            self.identity.store(pthread_self(), ordering: .relaxed)
            self.handle.store(pthread_self(), ordering: .relaxed)
            body()
            self.finish()
        }
        let context = Unmanaged.passRetained(box)
        var thread = pthread_t()
        let status = pthread_create(&thread, nil, runThreadBody, context.toOpaque())
        guard status == 0 else {
            context.release()
            throw EventLoopError(
                code: .resourcesExhausted, message: "no thread for a loop (errno \(status)); raise the limit of threads"
            )
        }
    }

    /// Waits for the thread to end, without blocking the caller's.
    func join() async {
        await withCheckedContinuation { continuation in
            let isFinished = life.withLock { life in
                if !life.isFinished { life.waiters.append(continuation) }
                return life.isFinished
            }
            if isFinished { continuation.resume() }
        }
        let mustJoin = life.withLock { life in
            defer { life.isJoined = true }
            return !life.isJoined
        }
        // The thread has nothing left to do but return, so this does not wait.
        if mustJoin { pthread_join(handle.load(ordering: .relaxed), nil) }
    }

    private func finish() {
        identity.store(0, ordering: .relaxed)
        let waiters = life.withLock { life in
            life.isFinished = true
            defer { life.waiters = [] }
            return life.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runThreadBody(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context {
        Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
    }
    return nil
}
