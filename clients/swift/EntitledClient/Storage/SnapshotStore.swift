import Entitlements

/// The signed snapshot of one account on the disk, as it was received, and the clock beside it. What is read is judged as
/// if it came from the network: a file proves nothing by being there.
struct SnapshotStore: Sendable {
    private let snapshotPath: String
    private let clockPath: String

    init(accountDirectory: String) {
        snapshotPath = accountDirectory + "/snapshot.jws"
        clockPath = accountDirectory + "/clock.json"
    }

    /// What the files hold.
    struct Loaded {
        /// Nil when there is no snapshot, or none to be believed.
        var kept: (snapshot: SignedSnapshot, clock: KeptClock)?
        /// What was refused, and why.
        var refusals: [(ClientDiagnostic.Subject, String)] = []
    }

    /// Reads and judges both files. Never throws: what cannot be believed is as good as absent.
    func load(keys: PinnedKeys, binding: SnapshotBinding, clock: any DeviceClock) -> Loaded {
        var loaded = Loaded()
        let snapshot: SignedSnapshot
        do {
            guard let text = try text() else { return loaded }
            snapshot = try SignedSnapshot(verifying: text, keys: keys, binding: binding)
        } catch {
            loaded.refusals.append((.cacheRefused, error.message))
            return loaded
        }
        let bytes = (try? Files.read(clockPath, limit: 64 << 10)) ?? nil
        if var kept = bytes.flatMap(KeptClock.init(bytes:)), kept.trusted.serverTime >= snapshot.serverTime {
            kept.observe(clock)
            loaded.kept = (snapshot, kept)
        } else {
            loaded.refusals.append((.clockFileRefused, "the file of the trusted clock is missing, broken or too old"))
            loaded.kept = (snapshot, KeptClock(guessing: snapshot.serverTime, by: clock))
        }
        return loaded
    }

    /// The signed text on the disk, not judged; nil when there is none.
    func text() throws(ClientError) -> String? {
        try Files.read(snapshotPath, limit: SignedSnapshot.maximumBytes).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Keeps a snapshot. The clock goes first: a newer clock serves an older snapshot as well, not the other way round.
    func save(_ snapshot: SignedSnapshot, clock: KeptClock) throws(ClientError) {
        try save(clock)
        try Files.replace(snapshotPath, with: Array(snapshot.text.utf8))
    }

    /// Keeps the clock alone.
    func save(_ clock: KeptClock) throws(ClientError) {
        try Files.replace(clockPath, with: clock.bytes)
    }
}
