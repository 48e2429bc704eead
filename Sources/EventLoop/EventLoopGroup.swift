import Glibc
import Synchronization

/// Several loops that share the work, one a core by default.
public final class EventLoopGroup: Sendable {
    /// The loops, in a fixed order.
    public let loops: [EventLoop]
    private let turn = Atomic<Int>(0)

    /// The number of cores this machine has online.
    public static var coreCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    /// Starts the loops. Throws if the kernel has no descriptors or threads left.
    public init(loopCount: Int = EventLoopGroup.coreCount) throws(EventLoopError) {
        precondition(loopCount > 0, "a group needs at least one loop")
        // A peer that closed must show as an error of the write, not end the process.
        signal(SIGPIPE, SIG_IGN)
        var loops: [EventLoop] = []
        for _ in 0..<loopCount { loops.append(try EventLoop()) }
        self.loops = loops
    }

    /// The loops in turn.
    public func next() -> EventLoop {
        let turn = turn.wrappingAdd(1, ordering: .relaxed).oldValue
        return loops[Int(turn.magnitude % UInt(loops.count))]
    }

    /// Stops all loops and joins their threads. Not from a task that runs on one of them.
    public func shutdown() async {
        for loop in loops { await loop.shutdown() }
    }
}
