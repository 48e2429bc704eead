import Entitlements

/// A binary heap of instants: one timer of the loop serves all holds. What is taken back stays in the heap until its
/// instant and is passed over then; the heap is made anew when most of it is stale.
struct DeadlineQueue<Element: Hashable & Sendable>: Sendable {
    private struct Entry: Sendable {
        var at: Milliseconds
        var element: Element
    }

    private var heap: [Entry] = []
    private var current: [Element: Milliseconds] = [:]

    /// The earliest instant; nil when nothing waits.
    var earliest: Milliseconds? { heap.first?.at }
    var count: Int { current.count }

    /// Sets or moves an element's instant.
    mutating func set(_ element: Element, at instant: Milliseconds) {
        current[element] = instant
        push(Entry(at: instant, element: element))
        if heap.count > 64, heap.count > 2 * current.count { rebuild() }
    }

    mutating func remove(_ element: Element) { current[element] = nil }

    /// Takes all elements whose instant has come.
    mutating func popDue(at now: Milliseconds) -> [Element] {
        var due: [Element] = []
        while let first = heap.first, first.at <= now || current[first.element] != first.at {
            popFirst()
            if current[first.element] == first.at {
                current[first.element] = nil
                due.append(first.element)
            }
        }
        return due
    }

    private mutating func rebuild() {
        let live = current
        heap.removeAll(keepingCapacity: true)
        for (element, instant) in live { push(Entry(at: instant, element: element)) }
    }

    private mutating func push(_ entry: Entry) {
        heap.append(entry)
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].at < heap[parent].at else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func popFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            let left = 2 * parent + 1
            guard left < heap.count else { return }
            let child = left + 1 < heap.count && heap[left + 1].at < heap[left].at ? left + 1 : left
            guard heap[child].at < heap[parent].at else { return }
            heap.swapAt(child, parent)
            parent = child
        }
    }
}
