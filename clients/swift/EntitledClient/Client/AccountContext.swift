import Entitlements
import Foundation

/// Everything that belongs to one account. Switching accounts replaces it as a whole, so nothing can stay behind.
struct AccountContext {
    let id: AccountID
    let binding: SnapshotBinding
    let requests: ServiceRequests
    let store: SnapshotStore
    let directory: String
    let provider: TokenProvider
    /// The token in use; nil before the first one and after one was refused.
    var token: String?
    /// Nil in a process that only reads.
    var outbox: Outbox?
    /// The last snapshot that was believed, and the time by it.
    var kept: (snapshot: SignedSnapshot, clock: KeptClock)?
    /// Purchases that somebody else has to approve, oldest first.
    var pending: [PendingPurchase] = []
    let pendingStore: PendingStore

    /// An account of which nothing has been read.
    init(
        _ id: AccountID, provider: @escaping TokenProvider, installation: String, layout: StorageLayout,
        configuration: ClientConfiguration
    ) {
        self.id = id
        self.provider = provider
        directory = layout.accountDirectory(
            bundleId: configuration.bundleId, environment: configuration.environment, account: id)
        binding = SnapshotBinding(
            bundleId: configuration.bundleId, environment: configuration.environment, account: id,
            installation: installation)
        var base = configuration.service.absoluteString
        while base.hasSuffix("/") { base.removeLast() }
        requests = ServiceRequests(
            base: base, bundleId: configuration.bundleId, environment: configuration.environment, account: id,
            installation: installation, answerLimit: configuration.limits.answerBytes)
        store = SnapshotStore(accountDirectory: directory)
        pendingStore = PendingStore(accountDirectory: directory)
    }

    /// What can be said at the trusted time.
    var view: AccountView {
        guard let kept else { return .unknown(id, pending: pending) }
        let offline = kept.snapshot.offline
        let clock = kept.clock.trusted
        let entries = kept.snapshot.snapshot.entitlements
        return AccountView(
            account: id, snapshot: kept.snapshot.snapshot,
            answers: Dictionary(entries.map { ($0.id, offline.answer(for: $0.id, by: clock)) }) { first, _ in first },
            // No entry has an empty id, so this is the answer about what the account has not.
            otherwise: offline.answer(for: "", by: clock), offlineLimit: offline.limit,
            trustedTime: clock.now, pending: pending)
    }

    /// The trusted time; the wall clock's as long as nothing was fetched.
    func now(by clock: any DeviceClock) -> Milliseconds { kept?.clock.trusted.now ?? clock.wall }

    /// How long until what is shown changes by time alone; nil when it never does.
    func untilNextChange(by clock: any DeviceClock) -> Milliseconds? {
        let now = now(by: clock)
        let changes = [kept?.snapshot.offline.nextChange(after: now)] + pending.map(\.until)
        return changes.compactMap(\.self).min().map { $0 - now }
    }
}
