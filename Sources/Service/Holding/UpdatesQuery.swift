import Entitlements
import EventLog
import EventLoop
import Sync

/// What happened to an account behind a number.
struct UpdatesQuery: Sendable {
    /// The number of the last event that the caller has; 0 for none.
    let after: Int64
    /// Entries in one answer.
    let limit: Int
    /// Who reads.
    let audience: HistoryEntry.Audience

    /// Entries in one answer at most.
    static let limits: ClosedRange<Int64> = 1...1000

    /// The answer now. Throws `SyncError`.
    func answer(for key: StreamKey, _ engine: SyncEngine) async throws -> Answer {
        guard let app = engine.terms.app(number: key.app) else {
            throw SyncError(.unknownApp, "app \(key.app) is not served any more")
        }
        let history = try await engine.history(of: key.account, environment: key.environment, app: app)
        return answer(history.entries)
    }

    /// Nothing happened while the poll was held.
    func unchanged(closesConnection: Bool) -> Answer {
        var answer = answer([], next: after)
        answer.response.closesConnection = closesConnection
        return answer
    }

    /// The entries of a history that are asked for, and where to read on. Somebody who has seen more than there is, since
    /// acknowledged events were lost in a failover, is sent back to the last one.
    func answer(_ entries: [HistoryEntry]) -> Answer {
        let page = Array(entries.drop { $0.version <= after }.prefix(limit))
        return answer(page, next: page.last?.version ?? min(after, entries.last?.version ?? 0))
    }

    private func answer(_ page: [HistoryEntry], next: Int64) -> Answer {
        var writer = JSONWriter(capacity: 256 + page.count * 400)
        writer.object { writer in
            writer.name("updates")
            writer.array { writer in
                for entry in page { entry.write(to: &writer, for: audience) }
            }
            writer.member("next", next)
        }
        return .json(writer.bytes)
    }
}
