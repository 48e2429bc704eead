import Entitlements

/// Where a view stands in the order of an account's views. A client never goes back (api.md, the snapshot).
struct ViewPosition: Sendable, Hashable, Comparable {
    /// Grows when the service starts anew after it may have lost something: only then may the rest be less.
    let epoch: Int64
    /// Grows with each switch of the projection.
    let activation: Int64
    /// Number of events.
    let version: Int64
    /// The time of the view.
    let asOf: Milliseconds

    static func < (left: ViewPosition, right: ViewPosition) -> Bool {
        (left.epoch, left.activation, left.version, left.asOf) < (
            right.epoch, right.activation, right.version, right.asOf
        )
    }
}
