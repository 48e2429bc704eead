public import Entitlements
import Postgres

/// What the order of views rests on, besides versions.
public struct LogIdentity: Sendable, Hashable {
    /// Grows when acknowledged commits may have been lost.
    public var epoch: Int64
    /// Grows when another generation answers.
    public var activation: Int32
    /// The generation that answers.
    public var generation: Int32
}

/// A projection generation and where it stands.
public struct StoredGeneration: Sendable, Hashable {
    /// Its number, that of the release's fold.
    public var generation: Int32
    /// Where it stands.
    public var state: State

    /// Where a generation stands.
    public enum State: String, Sendable, Hashable {
        /// Being filled.
        case building
        /// Complete and compared.
        case verified
        /// It answers.
        case active
        /// It answered, and could again.
        case kept
        /// Gone.
        case dropped
    }
}

extension EventStore {
    /// The epoch, and which generation answers.
    public func identity() async throws -> LogIdentity {
        guard let row = try await run(Self.readIdentity).first else {
            throw EventLogError(.notMigrated, "the log has no identity: run entitled migrate")
        }
        return LogIdentity(
            epoch: try row.decode(at: 0), activation: try row.decode(at: 1), generation: try row.decode(at: 2))
    }

    /// Begins a new epoch and answers it: after a failover that may have lost acknowledged commits.
    @discardableResult
    public func beginEpoch() async throws -> Int64 {
        guard let row = try await run(Self.raiseEpoch).first else {
            throw EventLogError(.notMigrated, "the log has no identity: run entitled migrate")
        }
        return try row.decode(at: 0)
    }

    /// All generations, ascending.
    public func generations() async throws -> [StoredGeneration] {
        try await run(Self.readGenerations).map { row in
            guard let state = StoredGeneration.State(rawValue: try row.decode(at: 1)) else {
                throw EventLogError(.corruptLog, "a generation is in a state that this release does not know")
            }
            return StoredGeneration(generation: try row.decode(at: 0), state: state)
        }
    }

    /// Makes room for a generation's snapshots, as `building`. Committed before anybody writes one.
    public func createGeneration(_ generation: Int32, at now: Milliseconds) async throws {
        _ = try await run(Self.makeGeneration, generation, PostgresTimestamp(now))
    }

    /// Says that a built generation is complete and compared. False if it is not being built.
    public func markVerified(_ generation: Int32) async throws -> Bool {
        try await run(Self.verifyGeneration, generation).affectedRows > 0
    }

    /// Makes a verified or kept generation the one that answers, and answers the activation's number.
    @discardableResult
    public func activate(_ generation: Int32, actor: String, at now: Milliseconds) async throws -> Int32 {
        let rows = try await run(Self.activateGeneration, generation, PostgresTimestamp(now), actor)
        guard let row = rows.first else {
            throw EventLogError(.notMigrated, "activate_generation answered nothing: run entitled migrate")
        }
        return try row.decode(at: 0)
    }

    /// A rebuild's write: kept, and true, only if the stream is still what was folded.
    public func putRebuilt(
        _ state: FoldedState, of stream: StreamID, at version: StreamVersion, generation: Int32
    ) async throws -> Bool {
        let rows = try await run(
            Self.putRebuiltState, stream.lane, stream.uuid, generation, version.version, version.resigned,
            state.state, state.hash, state.nextChangeAt.map(PostgresTimestamp.init))
        return try rows.first?.decode(Bool.self, at: 0) ?? false
    }

    private static let readIdentity = PostgresStatement(
        name: "read_identity",
        sql: """
            SELECT i.epoch, a.no, a.generation
              FROM ev.log_identity i, (SELECT a.* FROM ev.activation a ORDER BY a.no DESC LIMIT 1) a
            """)
    private static let raiseEpoch = PostgresStatement(
        name: "raise_epoch", sql: "UPDATE ev.log_identity SET epoch = epoch + 1 RETURNING epoch")
    private static let readGenerations = PostgresStatement(
        name: "read_generations", sql: "SELECT g.generation, g.state FROM ev.generation g ORDER BY g.generation")
    private static let makeGeneration = PostgresStatement(
        name: "create_generation", sql: "SELECT ev.create_generation($1, 'building', $2)",
        parameterTypes: [.int4, .timestamptz])
    private static let verifyGeneration = PostgresStatement(
        name: "verify_generation",
        sql: "UPDATE ev.generation SET state = 'verified' WHERE generation = $1 AND state = 'building'",
        parameterTypes: [.int4])
    private static let activateGeneration = PostgresStatement(
        name: "activate_generation", sql: "SELECT ev.activate_generation($1, $2, $3)",
        parameterTypes: [.int4, .timestamptz, .text])
    private static let putRebuiltState = PostgresStatement(
        name: "put_rebuilt", sql: "SELECT ev.put_rebuilt($1, $2, $3, $4, $5, $6, $7, $8)",
        parameterTypes: [.int2, .uuid, .int4, .int8, .int4, .bytea, .bytea, .timestamptz])
}
