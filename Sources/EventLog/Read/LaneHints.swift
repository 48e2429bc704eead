public import Postgres

/// Hints between instances: "something was appended in these lanes". They may be lost; the tail finds everything.
///
/// Never sent within an append: a NOTIFY there takes one lock for all commits of the cluster. One each 20 ms costs nothing.
public enum LaneHints {
    static let channel = "entitled_lanes"

    /// Lanes that other instances wrote, as they tell it; none when a catalog was changed. The session goes on listening; give it one of its own.
    public static func listen(
        on session: PostgresSession
    ) async throws(PostgresError) -> AsyncMapSequence<AsyncStream<PostgresNotification>, [Int16]> {
        try await session.listen(to: channel).map { lanes(in: $0.payload) }
    }

    /// Says that another catalog is in force: a hint that names no lane.
    static let terms = "terms"

    /// What is not a lane is passed over: anybody with access to the database may notify.
    static func lanes(in payload: String) -> [Int16] {
        payload.split(separator: ",").compactMap { Int16($0) }.filter { $0 >= 0 && $0 < Lane.count }
    }
}

extension EventStore {
    /// Tells the other instances that something was appended in these lanes. This one hears it too if it listens.
    public func notifyDirtyLanes(_ lanes: some Sequence<Int16>) async throws {
        let payload = Set(lanes).sorted().map(String.init).joined(separator: ",")
        if payload.isEmpty { return }
        _ = try await run(Self.notify, LaneHints.channel, payload)
    }

    /// Tells the instances that another catalog is in force. It may be lost, too: they also look by themselves.
    public func notifyTerms() async throws {
        _ = try await run(Self.notify, LaneHints.channel, LaneHints.terms)
    }

    private static let notify = PostgresStatement(
        name: "notify_lanes", sql: "SELECT pg_notify($1, $2)", parameterTypes: [.text, .text])
}
