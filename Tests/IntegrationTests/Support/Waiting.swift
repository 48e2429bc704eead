import Synchronization

/// What several tasks note.
final class Notes<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    var all: [Element] { elements.withLock { $0 } }
    func add(_ element: Element) { elements.withLock { $0.append(element) } }
}

/// Waited in vain.
struct WaitedInVain: Error, CustomStringConvertible {
    let what: String
    var description: String { "waited in vain: \(what)" }
}

/// Looks until a condition holds: what another process does has no signal that could be waited for. Fails after a time that
/// is long enough for a busy machine.
func eventually(
    _ what: String, within limit: Duration = .seconds(90), _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < deadline else { throw WaitedInVain(what: what) }
        try await Task.sleep(for: .milliseconds(20))
    }
}
