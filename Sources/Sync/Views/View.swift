import AppStore
public import Entitlements
public import EventLog
import FoundationEssentials

/// A stream's answer at a time, with its place in the order of views.
public struct View: Sendable {
    /// The stream.
    public let stream: StreamID
    /// The answer.
    public let snapshot: Snapshot
    /// Where it stands.
    public let order: ViewOrder

    /// Computes the view of a state. `seen`: what the client has seen; the view shows no earlier time, so that a slow clock
    /// never undoes an expiry (engineering: long-poll, "Changes by time"). A cursor of the far future is not followed.
    public init(
        state: AccountState, key: StreamKey, app: ServedApp, log: LogIdentity, now: Milliseconds,
        seen: ViewOrder? = nil
    ) {
        let asOf = min(max(now, seen?.asOf ?? now), now + 10_000)
        stream = key.id
        snapshot = state.snapshot(
            bundleId: app.identity.bundleId, environment: key.environment, at: asOf, catalogs: app.terms.catalogs)
        order = ViewOrder(
            epoch: log.epoch, activation: app.activation(of: log), version: state.version, asOf: asOf)
    }

    /// The cursor of this view.
    public var cursor: Cursor {
        Cursor(order: order, streamTag: stream.tag, nextChangeAt: snapshot.nextChangeAt)
    }
}

extension StreamID {
    /// Eight bytes of it: enough to tell that a cursor belongs to another stream.
    public var tag: UInt64 { withUnsafeBytes(of: uuid.uuid) { $0.loadUnaligned(as: UInt64.self).bigEndian } }
}
