import Entitlements

/// A process that only reads: it looks at the files and asks nobody. When the writer ends, it takes its place.
extension EntitledClient {
    func startReading() {
        readerTask?.cancel()
        let generation = generation
        readerTask = Task {
            while generation == self.generation, !Task.isCancelled {
                do { try await clock.sleep(for: configuration.limits.readerInterval) } catch { return }
                guard generation == self.generation else { return }
                if becomeWriter() { return startTalking() }
                readAgain()
            }
        }
        showStatus()
    }

    /// Takes the lock if it is free.
    private func becomeWriter() -> Bool {
        guard configuration.role == .automatic, let free = (try? FileLock(layout.lock)) ?? nil,
            let files = try? Self.open(
                context.id, provider: context.provider, installation: installation, layout: layout,
                configuration: configuration, lock: free)
        else { return false }
        context = files.context
        lock = files.lock
        showView()
        scheduleChange()
        return true
    }

    /// Reads what the writer has replaced.
    func readAgain() {
        if let pending = context.pendingStore.load() { context.pending = pending }
        readInstallationAgain()
        readSnapshotAgain()
        showView()
        scheduleChange()
    }

    /// The writer makes the id at its first start, and anew if it cannot be read.
    private func readInstallationAgain() {
        guard configuration.installation == nil, let kept = (try? layout.keptInstallation()) ?? nil,
            kept != installation
        else { return }
        installation = kept
        context = AccountContext(
            context.id, provider: context.provider, installation: installation, layout: layout,
            configuration: configuration)
    }

    private func readSnapshotAgain() {
        guard let text = (try? context.store.text()) ?? nil, text != context.kept?.snapshot.text else { return }
        let loaded = context.store.load(keys: configuration.pinnedKeys, binding: context.binding, clock: clock)
        guard let kept = loaded.kept else {
            for (subject, message) in loaded.refusals { remark(subject, message) }
            return
        }
        // The order rule holds between processes, too.
        if let current = context.kept?.snapshot, !kept.snapshot.replaces(current) { return }
        context.kept = kept
    }
}
