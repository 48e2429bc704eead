public import EventLog
import Synchronization

/// Accounts that this process has seen registered: a read saved for each request. Forgetting one only costs that read.
public final class KnownAccounts: Sendable {
    private static let maximum = 1_000_000
    private let accounts = Mutex<Set<AccountKey>>([])

    /// Nobody yet.
    public init() {}

    /// Whether it was seen.
    public func contains(_ account: AccountKey) -> Bool { accounts.withLock { $0.contains(account) } }

    /// Remembers it.
    public func insert(_ account: AccountKey) {
        accounts.withLock { accounts in
            if accounts.count >= Self.maximum { accounts.removeAll() }
            accounts.insert(account)
        }
    }

    /// Forgets it, after an erasure.
    public func remove(_ account: AccountKey) { accounts.withLock { _ = $0.remove(account) } }
}
