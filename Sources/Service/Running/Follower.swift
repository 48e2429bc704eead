import Entitlements
import EventLog
import EventLoop
import Postgres
import Sync
import Synchronization

/// Keeps this instance informed of what others do, and them of what it does: tail, hints, sweep and the terms in force.
///
/// Three layers of waking, each of which only makes the next one faster (engineering: long-poll, section 3).
final class Follower: Sendable {
    /// How often each thing is done.
    struct Intervals: Sendable {
        var tail = Duration.milliseconds(500)
        var hint = Duration.milliseconds(20)
        var sweep = Duration.seconds(60)
        var terms = Duration.seconds(2)
    }

    private struct Hints {
        var dirty: Set<Int16> = []
        /// What this instance announced and has not heard itself: it knows that already.
        var announced: [Set<Int16>] = []
    }

    private let tail: TailFollower
    private let announcing: EventStore
    private let listening: LoopConnection
    private let catalogs: CatalogDesk
    private let drivers: [HoldDriver]
    private let log: Log
    private let hints = Mutex(Hints())
    private let intervals: Intervals

    init(
        tail: TailFollower, announcing: EventStore, listening: LoopConnection, catalogs: CatalogDesk,
        drivers: [HoldDriver], log: Log, intervals: Intervals = Intervals()
    ) {
        self.tail = tail
        self.announcing = announcing
        self.listening = listening
        self.catalogs = catalogs
        self.drivers = drivers
        self.log = log
        self.intervals = intervals
    }

    /// Lanes that this instance has appended to.
    func markDirty(_ lanes: some Sequence<Int16>) {
        hints.withLock { $0.dirty.formUnion(lanes) }
    }

    /// Does it all until cancelled. Failures are the database's, which is back some time: all begins again then.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.regularly(self.intervals.tail) { await self.tail.read() } }
            group.addTask { await self.regularly(self.intervals.hint) { await self.announce() } }
            group.addTask { await self.regularly(self.intervals.sweep) { await self.sweep() } }
            group.addTask {
                await self.regularly(self.intervals.terms) { await self.refreshTerms() }
            }
            group.addTask { await self.regularly(.seconds(1)) { await self.listen() } }
        }
    }

    private func regularly(_ interval: Duration, _ body: () async -> Void) async {
        while !Task.isCancelled {
            await body()
            try? await Task.sleep(for: interval)
        }
    }

    private func announce() async {
        let lanes = hints.withLock { hints in
            defer { hints.dirty = [] }
            if !hints.dirty.isEmpty { hints.announced.append(hints.dirty) }
            // Nobody listens when the listening connection is down.
            if hints.announced.count > 100 { hints.announced.removeFirst(50) }
            return hints.dirty
        }
        // A lost hint costs half a second: the tail finds what it was about.
        if !lanes.isEmpty { try? await announcing.notifyDirtyLanes(lanes) }
    }

    private func listen() async {
        guard let session = try? await listening.opened(), let heard = try? await LaneHints.listen(on: session) else {
            return
        }
        for await lanes in heard {
            if lanes.isEmpty {
                await refreshTerms()
            } else if !isOwn(Set(lanes)) {
                await tail.read()
            }
        }
    }

    private func isOwn(_ lanes: Set<Int16>) -> Bool {
        hints.withLock { hints in
            guard let index = hints.announced.firstIndex(of: lanes) else { return false }
            hints.announced.remove(at: index)
            return true
        }
    }

    private func refreshTerms() async {
        do {
            try await catalogs.refresh()
        } catch let error as DocumentError {
            log.write(.error, "storedCatalogUnreadable") { $0.member("reason", error.description) }
        } catch {
            log.write(.warning, "termsNotRefreshed") { $0.member("type", String(describing: type(of: error))) }
        }
    }

    private func sweep() async {
        for driver in drivers {
            let streams = await driver.streams
            for start in stride(from: 0, to: streams.count, by: 10_000) {
                let part = Array(streams[start..<min(start + 10_000, streams.count)])
                guard let versions = try? await announcing.versions(of: part) else { return }
                await driver.swept(versions)
            }
        }
    }
}
