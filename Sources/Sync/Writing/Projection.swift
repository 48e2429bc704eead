package import Entitlements
package import EventLog
import Signatures

/// The projection generation of this release: grows when a fold of the same events gives another state.
public enum Projection {
    /// The generations that this release writes.
    public static let generations: [Int32] = [1]
    /// The one it answers from.
    public static let current: Int32 = 1

    /// A state as the snapshot table keeps it.
    package static func folded(_ state: AccountState, nextChangeAt: Milliseconds?) -> FoldedState {
        let bytes = state.encoded()
        return FoldedState(
            state: bytes, hash: Array(SHA256.hash(bytes).bytes.prefix(16)), nextChangeAt: nextChangeAt)
    }
}
