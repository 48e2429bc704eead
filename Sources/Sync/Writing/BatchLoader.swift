package import Entitlements
package import EventLog

/// Reads what a batch needs, in one round trip for the usual things.
struct BatchLoader {
    let store: EventStore
    let generation: Int32

    func load(_ wanted: WriterBatch.Load, into batch: inout WriterBatch) async throws {
        var targets: [StreamID: BatchAssembly.Target] = [:]
        for target in wanted.streams { targets[StreamKey(app: target.app, target.stream).id] = target }
        let loaded = try await store.load(
            streams: Array(targets.keys), lineages: wanted.lineages, accounts: wanted.accounts, generation: generation)
        for (id, target) in targets {
            let stored = loaded.streams[id]
            let state = try await StateReader(store: store).state(
                of: id, account: target.stream.account, stored: stored)
            let position = WriterBatch.Position(
                version: stored?.version ?? .empty, bytes: stored?.snapshot?.state.count ?? state.encoded().count)
            batch.take(state, at: position, of: target)
        }
        for key in wanted.lineages { batch.take(loaded.lineages[key] ?? LineageRecord(), of: key) }
        for key in wanted.accounts { batch.take(isKnown: loaded.known[key] != nil, of: key) }
        for (app, history) in wanted.histories {
            let id = StreamKey(app: app, history.stream).id
            let events = try await StateReader(store: store).events(of: id, lineage: history.lineage)
            batch.take(events, of: history, app: app)
        }
    }
}

extension BatchLoader {
    /// Whether what was recalled is still the log's last word.
    func confirms(
        streams: [BatchAssembly.Target: StreamVersion], lineages: [LineageKey: Int64]
    ) async throws -> Bool {
        if streams.isEmpty, lineages.isEmpty { return true }
        let ids = Dictionary(
            uniqueKeysWithValues: streams.map { (StreamKey(app: $0.key.app, $0.key.stream).id, $0.value) })
        let now = try await store.standing(streams: Array(ids.keys), lineages: Array(lineages.keys))
        return now.streams == ids && now.lineages == lineages
    }
}

extension WriterBatch.Load {
    var isEmpty: Bool { streams.isEmpty && lineages.isEmpty && accounts.isEmpty && histories.isEmpty }
}

/// Reads states: the stored one, or the fold of the events where a generation has none.
package struct StateReader: Sendable {
    private static let page: Int32 = 1000
    let store: EventStore

    package init(store: EventStore) { self.store = store }

    /// The state of a stream as loaded.
    func state(of id: StreamID, account: AccountID, stored: StoredStream?) async throws -> AccountState {
        guard let stored else { return AccountState(account: account) }
        if let snapshot = stored.snapshot { return try AccountState(decoding: snapshot.state) }
        return try await fold(id, account: account)
    }

    /// The fold of what was stored up to an instant: what was known then.
    package func fold(
        _ id: StreamID, account: AccountID, recordedUpTo instant: Milliseconds? = nil
    ) async throws -> AccountState {
        var state = AccountState(account: account)
        // Each takes its turn, as in `AccountState.fold`: the ledger depends on what was newest when an event came.
        var dates = try await store.resigned(of: id, recordedUpTo: instant).sorted { $0.recordedAt < $1.recordedAt }[
            ...]
        var after: Int64 = 0
        while true {
            let rows = try await store.events(
                of: id, after: after, recordedUpTo: instant, limit: Self.page)
            for row in rows {
                while let date = dates.first, date.recordedAt < row.recordedAt {
                    EventCodec.apply(date.copy, to: &state)
                    dates.removeFirst()
                }
                if let event = try EventCodec.event(from: row) {
                    state.apply(event)
                } else {
                    state.skipErased()
                }
            }
            guard rows.count == Self.page, let last = rows.last else { break }
            after = last.seq
        }
        for date in dates { EventCodec.apply(date.copy, to: &state) }
        return state
    }

    /// A stream from its first event that still says something, stored no later than an instant if one is given.
    package func story(
        _ id: StreamID, account: AccountID, recordedUpTo instant: Milliseconds? = nil
    ) async throws -> StreamStory {
        var story = StreamStory(account: account)
        var copies = CopiesByHash()
        var after: Int64 = 0
        while true {
            let rows = try await store.events(of: id, after: after, recordedUpTo: instant, limit: Self.page)
            for row in rows {
                if let event = try EventCodec.event(from: row) {
                    story.events.append(event)
                    copies.add(event)
                } else {
                    story.erased = row.seq
                    story.events = []
                }
            }
            guard rows.count == Self.page, let last = rows.last else { break }
            after = last.seq
        }
        story.notes = try await store.resigned(of: id, recordedUpTo: instant)
            .sorted { $0.recordedAt < $1.recordedAt }.compactMap(copies.note)
        return story
    }

    /// The events of a stream, those of one lineage only if given.
    package func events(of id: StreamID, lineage: String? = nil) async throws -> [Event] {
        var events: [Event] = []
        var after: Int64 = 0
        while true {
            let rows = try await store.events(of: id, after: after, lineage: lineage, limit: Self.page)
            for row in rows { if let event = try EventCodec.event(from: row) { events.append(event) } }
            guard rows.count == Self.page, let last = rows.last else { return events }
            after = last.seq
        }
    }
}
