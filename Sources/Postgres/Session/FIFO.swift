/// First in, first out, with both ends in constant time (amortized).
struct FIFO<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var count: Int { elements.count - head }
    var isEmpty: Bool { count == 0 }
    var first: Element? { isEmpty ? nil : elements[head] }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let element = elements[head]
        elements[head] = nil
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 64, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }

    /// Changes the first element in place, if there is one.
    mutating func withFirst<R>(_ body: (inout Element) -> R) -> R? {
        guard head < elements.count, var element = elements[head] else { return nil }
        defer { elements[head] = element }
        return body(&element)
    }

    mutating func removeFirst(where matches: (Element) -> Bool) -> Element? {
        guard let index = elements.indices.dropFirst(head).first(where: { elements[$0].map(matches) ?? false }) else {
            return nil
        }
        return elements.remove(at: index)
    }

    func contains(where matches: (Element) -> Bool) -> Bool {
        elements.dropFirst(head).contains { $0.map(matches) ?? false }
    }

    /// Takes all out, in order.
    mutating func removeAll() -> [Element] {
        defer { self = FIFO() }
        return elements.dropFirst(head).compactMap(\.self)
    }
}

extension FIFO: Sendable where Element: Sendable {}
