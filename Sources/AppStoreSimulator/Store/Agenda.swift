import Entitlements

/// What happens by itself and when: the next due time of each lineage, earliest first. A binary heap; a lineage that was moved
/// leaves its old entry behind, which is passed over when it comes up.
struct Agenda: Sendable {
    private struct Entry: Sendable {
        let due: Milliseconds
        let lineage: String
    }

    private var heap: [Entry] = []
    private var current: [String: Milliseconds] = [:]

    /// Sets when a lineage is due; nil: never.
    mutating func set(_ lineage: String, due: Milliseconds?) {
        guard current[lineage] != due else { return }
        current[lineage] = due
        guard let due else { return }
        heap.append(Entry(due: due, lineage: lineage))
        rise(from: heap.count - 1)
    }

    /// The earliest due time and whose it is.
    mutating func first() -> (due: Milliseconds, lineage: String)? {
        while let entry = heap.first {
            if current[entry.lineage] == entry.due { return (entry.due, entry.lineage) }
            removeFirst()
        }
        return nil
    }

    private static func precedes(_ left: Entry, _ right: Entry) -> Bool {
        (left.due, left.lineage) < (right.due, right.lineage)
    }

    private mutating func rise(from start: Int) {
        var index = start
        while index > 0, Self.precedes(heap[index], heap[(index - 1) / 2]) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var index = 0
        while true {
            let children = [2 * index + 1, 2 * index + 2].filter { $0 < heap.count }
            guard let least = children.min(by: { Self.precedes(heap[$0], heap[$1]) }),
                Self.precedes(heap[least], heap[index])
            else { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}
