public import Entitlements

/// The order of a stream's views. A client never goes back in it, whichever instance answers (engineering: long-poll).
public struct ViewOrder: Sendable, Hashable, Comparable {
    /// Grows when acknowledged events may have been lost; only then may the rest fall.
    public var epoch: Int64
    /// Grows when another projection generation or another catalog comes into force.
    public var activation: Int64
    /// Events of the stream.
    public var version: Int64
    /// The time the view shows.
    public var asOf: Milliseconds

    /// An order.
    public init(epoch: Int64, activation: Int64, version: Int64, asOf: Milliseconds) {
        self.epoch = epoch
        self.activation = activation
        self.version = version
        self.asOf = asOf
    }

    /// The lexicographic order of the four.
    public static func < (left: ViewOrder, right: ViewOrder) -> Bool {
        (left.epoch, left.activation, left.version, left.asOf)
            < (right.epoch, right.activation, right.version, right.asOf)
    }

    /// Whether this shows events or a catalog that the other does not, time apart.
    public func isAhead(of other: ViewOrder) -> Bool {
        (epoch, activation, version) > (other.epoch, other.activation, other.version)
    }
}
