/// Waiting timers, earliest first; those of one instant in the order they were added.
///
/// A binary heap that each timer knows its place in, so that taking one back costs O(log n) and leaves nothing behind:
/// held requests are mostly answered long before their time is up.
struct TimerHeap {
    private struct Entry {
        let deadline: Int64
        let order: UInt64
        let timer: EventLoop.Timer

        func comes(before other: Entry) -> Bool {
            deadline != other.deadline ? deadline < other.deadline : order < other.order
        }
    }

    private var entries: [Entry] = []
    private var added: UInt64 = 0

    var count: Int { entries.count }
    /// When the earliest timer is due, in nanoseconds of the monotonic clock.
    var nextDeadline: Int64? { entries.first?.deadline }

    mutating func add(_ timer: EventLoop.Timer) {
        added += 1
        entries.append(Entry(deadline: timer.deadline, order: added, timer: timer))
        timer.heapIndex = entries.count - 1
        siftUp(entries.count - 1)
    }

    /// Takes a timer out; nothing happens if it is not in.
    mutating func remove(_ timer: EventLoop.Timer) {
        let index = timer.heapIndex
        guard index != EventLoop.Timer.notScheduled else { return }
        removeEntry(at: index)
    }

    /// Takes out the earliest timer if it is due.
    mutating func popDue(at now: Int64) -> EventLoop.Timer? {
        guard let first = entries.first, first.deadline <= now else { return nil }
        removeEntry(at: 0)
        return first.timer
    }

    mutating func removeAll() {
        for entry in entries { entry.timer.heapIndex = EventLoop.Timer.notScheduled }
        entries.removeAll()
    }

    private mutating func removeEntry(at index: Int) {
        entries[index].timer.heapIndex = EventLoop.Timer.notScheduled
        let last = entries.removeLast()
        guard index < entries.count else { return }
        place(last, at: index)
        siftUp(index)
        siftDown(last.timer.heapIndex)
    }

    private mutating func place(_ entry: Entry, at index: Int) {
        entries[index] = entry
        entry.timer.heapIndex = index
    }

    private mutating func siftUp(_ start: Int) {
        let entry = entries[start]
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard entry.comes(before: entries[parent]) else { break }
            place(entries[parent], at: index)
            index = parent
        }
        if index != start { place(entry, at: index) }
    }

    private mutating func siftDown(_ start: Int) {
        let entry = entries[start]
        var index = start
        while true {
            var child = 2 * index + 1
            guard child < entries.count else { break }
            if child + 1 < entries.count, entries[child + 1].comes(before: entries[child]) { child += 1 }
            guard entries[child].comes(before: entry) else { break }
            place(entries[child], at: index)
            index = child
        }
        if index != start { place(entry, at: index) }
    }
}
