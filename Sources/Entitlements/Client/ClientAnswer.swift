/// What a client says about one entitlement. It knows three answers: no data is never "no" (rules.md R9).
public struct ClientAnswer: Sendable, Hashable {
    /// The answer itself.
    public enum Access: String, Sendable, Hashable, CaseIterable {
        case active, inactive, unknown
    }

    /// What a caller may want to know about how sure an answer is (rules.md R11).
    public enum Flag: String, Sendable, Hashable, CaseIterable {
        /// The offline limit is reached.
        case stale
        /// The end has passed, and the renewal is taken for granted until the offline limit.
        case assumedRenewal
        /// The wall clock is behind what it has shown since the fetch.
        case clockRolledBack
    }

    /// The answer itself.
    public let access: Access
    /// How sure it is.
    public let flags: Set<Flag>

    /// An answer.
    public init(_ access: Access, flags: Set<Flag> = []) {
        self.access = access
        self.flags = flags
    }

    /// The answer of a client that has never fetched anything.
    public static let unknown = ClientAnswer(.unknown)
}
