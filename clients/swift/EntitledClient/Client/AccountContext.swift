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

    /// Opens the files of an account. Throws `storage`; a file that cannot be believed is no error.
    init(
        _ id: AccountID, provider: @escaping TokenProvider, installation: String, layout: StorageLayout,
        configuration: ClientConfiguration
    ) throws(ClientError) {
        self.id = id
        self.provider = provider
        directory = try layout.accountDirectory(
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
    }

    /// What can be said at the trusted time.
    var view: AccountView {
        guard let kept else { return .unknown(id) }
        let offline = kept.snapshot.offline
        let clock = kept.clock.trusted
        let entries = kept.snapshot.snapshot.entitlements
        return AccountView(
            account: id, snapshot: kept.snapshot.snapshot,
            answers: Dictionary(entries.map { ($0.id, offline.answer(for: $0.id, by: clock)) }) { first, _ in first },
            // No entry has an empty id, so this is the answer about what the account has not.
            otherwise: offline.answer(for: "", by: clock), offlineLimit: offline.limit,
            trustedTime: clock.now)
    }

    /// How long until the answers change by time alone; nil when they never do.
    var untilNextChange: Milliseconds? {
        guard let kept else { return nil }
        let now = kept.clock.trusted.now
        return kept.snapshot.offline.nextChange(after: now).map { $0 - now }
    }
}
