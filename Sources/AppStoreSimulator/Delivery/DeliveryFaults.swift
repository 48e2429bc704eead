import Entitlements

/// What goes wrong with notifications, as a test wishes it. Probabilities from 0 to 1.
struct DeliveryFaults: Sendable, Hashable {
    /// Never arrives, though the store believes that it tried.
    var lose = 0.0
    /// Arrives twice.
    var double = 0.0
    /// Arrives with one character changed; a retry carries the right one.
    var corrupt = 0.0
    /// Those that are due together come in any order.
    var reorder = false
    /// Each waits for so long, of the store's time.
    var delay: ClosedRange<Milliseconds>?
}
