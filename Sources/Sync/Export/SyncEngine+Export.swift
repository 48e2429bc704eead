import AppStore
public import Entitlements
import EventLog
import Signatures

extension SyncEngine {
    /// All that is stored about an account, in one environment or in all that the app takes. At most `limit` events of each,
    /// behind the one numbered `after`. Throws `SyncError`.
    public func export(
        _ account: AccountID, environment: Environment?, app: ServedApp, after: Int64 = 0, limit: Int
    ) async throws -> AccountExport {
        let now = clock.now()
        let known = AccountKey(app: app.number, account)
        let loaded = try await reaching {
            try await store.load(streams: [], accounts: [known], generation: terms.log.generation)
        }
        var export = AccountExport(
            bundleId: app.terms.bundleId, account: account, at: now, knownSince: loaded.known[known], parts: [])
        let all = app.terms.environments.sorted { $0.rawValue < $1.rawValue }
        for asked in environment.map({ [$0] }) ?? all {
            let story = try await reaching { try await reader.story(of: key(account, asked, app)) }
            guard story.version > 0 || environment != nil else { continue }
            export.parts.append(try await part(of: story, asked, app, at: now, after: after, limit: limit))
        }
        return export
    }

    private func part(
        of story: StreamStory, _ environment: Environment, _ app: ServedApp, at now: Milliseconds, after: Int64,
        limit: Int
    ) async throws -> AccountExport.Part {
        let catalogs = app.terms.catalogs
        let state = story.state
        var part = AccountExport.Part(
            events: [], notes: story.notes, grants: state.grants,
            explanation: Explanation(
                state: state, events: story.events, after: story.erased, notes: story.notes, catalogs: catalogs,
                bundleId: app.terms.bundleId, environment: environment, at: now))
        let all = zip(story.history(catalogs: catalogs).entries, story.events)
        for (entry, event) in all where entry.version > after {
            guard part.events.count < limit else {
                part.next = part.events.last?.entry.version
                break
            }
            part.events.append((entry, event.evidence, try await original(of: event)))
        }
        return part
    }

    /// The signed text of an event, byte for byte as it came; nil for what the service says itself. Throws `SyncError`.
    public func original(of event: Event) async throws -> String? {
        guard let evidence = event.evidence, evidence.chain != 0 else { return nil }
        return try await reaching {
            let header = try await chains.header(evidence.chain)
            let stored = StoredJWS(
                headerHash: SHA256.hash(header), payload: evidence.payload, signature: evidence.signature)
            var headers = [stored.headerHash: header]
            while true {
                var missing: SHA256.Digest?
                let text = stored.original { hash in
                    if headers[hash] == nil { missing = hash }
                    return headers[hash]
                }
                if let text { return text }
                guard let hash = missing, let found = try await chains.header(hash: hash) else { return nil }
                headers[hash] = found
            }
        }
    }
}
