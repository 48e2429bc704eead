import CLibevent
import Glibc
import Synchronization

/// One thing to run on a loop.
enum LoopWork {
    case job(UnownedJob)
    case body(@Sendable () -> Void)
}

/// Work that other threads send to a loop, and the descriptor that wakes it.
final class Inbox: Sendable {
    private struct Content {
        var work: [LoopWork] = []
        /// The loop has been woken and has not looked yet: no second system call is needed.
        var isSignalled = false
        /// The loop has ended; work would wait for ever, and keep the loop itself alive if it refers to it.
        var isClosed = false
    }

    private let content = Mutex(Content())
    /// An eventfd: readable while there is work.
    let wakeDescriptor: Int32

    init() throws(EventLoopError) {
        wakeDescriptor = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
        guard wakeDescriptor >= 0 else {
            throw EventLoopError(
                code: .resourcesExhausted, message: "no eventfd for a loop; raise the limit of open files")
        }
    }

    deinit { close(wakeDescriptor) }

    func add(_ work: LoopWork) {
        let mustSignal = content.withLock { content in
            guard !content.isClosed else { return false }
            content.work.append(work)
            defer { content.isSignalled = true }
            return !content.isSignalled
        }
        if mustSignal { eventfd_write(wakeDescriptor, 1) }
    }

    /// Takes all work there is. Called by the loop when it was woken, and with `closing` when it ends.
    func takeAll(closing: Bool = false) -> [LoopWork] {
        var count: eventfd_t = 0
        eventfd_read(wakeDescriptor, &count)
        return content.withLock { content in
            content.isSignalled = false
            content.isClosed = closing
            let work = content.work
            content.work = []
            return work
        }
    }
}
