import Entitlements
import Foundation

extension EntitledClient {
    struct OpenFiles {
        var context: AccountContext
        var lock: FileLock?
        var remarks: [ClientDiagnostic]
    }

    /// The id of this installation in lower case. A process that only reads makes none; nothing is signed for the empty one.
    static func installation(
        _ configuration: ClientConfiguration, _ layout: StorageLayout
    ) throws(ClientError) -> String {
        if let given = configuration.installation { return given.uuidString.lowercased() }
        guard configuration.role == .automatic else {
            return try layout.keptInstallation() ?? ""
        }
        try layout.prepare()
        return try layout.installation()
    }

    /// Opens an account's files, as the writer if that is possible. Nothing of the client has changed if it throws.
    static func open(
        _ account: AccountID, provider: @escaping TokenProvider, installation: String, layout: StorageLayout,
        configuration: ClientConfiguration, lock: FileLock?
    ) throws(ClientError) -> OpenFiles {
        let clock = configuration.clock
        var context = AccountContext(
            account, provider: provider, installation: installation, layout: layout, configuration: configuration)
        var remarks: [ClientDiagnostic] = []
        var held = lock
        if held == nil, configuration.role == .automatic {
            try layout.prepare()
            held = try FileLock(layout.lock)
        }
        if held != nil {
            try Files.makeDirectory(context.directory)
            let outbox = try Outbox(
                accountDirectory: context.directory, account: account, limits: configuration.limits)
            if outbox.damagedLines > 0 {
                remarks.append(
                    ClientDiagnostic(
                        subject: .outboxDamaged, message: "\(outbox.damagedLines) lines were passed over",
                        at: clock.wall))
            }
            context.outbox = outbox
        }
        let loaded = context.store.load(keys: configuration.pinnedKeys, binding: context.binding, clock: clock)
        context.kept = loaded.kept
        let pending = context.pendingStore.load()
        context.pending = pending ?? []
        if pending == nil {
            remarks.append(
                ClientDiagnostic(
                    subject: .pendingFileRefused, message: "the file of pending purchases is broken", at: clock.wall))
        }
        remarks += loaded.refusals.map { ClientDiagnostic(subject: $0.0, message: $0.1, at: clock.wall) }
        return OpenFiles(context: context, lock: held, remarks: remarks)
    }

    /// What became of a signed snapshot that arrived.
    enum Acceptance {
        case accepted(SignedSnapshot)
        /// No later than what is shown already.
        case notNewer
        case refused
    }

    /// Judges a signed snapshot, and keeps and shows it if it is later than the one before.
    func accept(_ text: String) -> Acceptance {
        let snapshot: SignedSnapshot
        do {
            snapshot = try SignedSnapshot(
                verifying: text, keys: configuration.pinnedKeys, binding: context.binding)
        } catch {
            remark(.answerRefused, error.message)
            views.send(.unverified(error), keeping: false)
            return .refused
        }
        if let kept = context.kept?.snapshot, !snapshot.replaces(kept) {
            if snapshot.position < kept.position {
                remark(.olderView, "an instance of the service answered with an older view; it was passed over")
            }
            return .notNewer
        }
        let kept = KeptClock(serverTime: snapshot.serverTime, by: clock)
        context.kept = (snapshot, kept)
        clockSavedAt = clock.monotonic
        do {
            try context.store.save(snapshot, clock: kept)
        } catch {
            remark(.storageFailed, error.message)
        }
        settlePending()
        showView()
        scheduleChange()
        return .accepted(snapshot)
    }

    func saveClock() {
        guard lock != nil, let kept = context.kept else { return }
        clockSavedAt = clock.monotonic
        do {
            try context.store.save(kept.clock)
        } catch {
            remark(.storageFailed, error.message)
        }
    }
}
