public import Entitlements
import Postgres
public import Signatures
import Synchronization

/// JWS headers, certificates included, by number: most of a JWS's bytes, stored once each and remembered here.
public final class ChainDirectory: Sendable {
    private struct Memory {
        var ids: [SHA256.Digest: Int32] = [:]
        var headers: [Int32: [UInt8]] = [:]
    }

    /// Apple uses a handful at a time. Beyond this many, all are forgotten and read again.
    private static let maximumRemembered = 256
    private let store: EventStore
    private let memory = Mutex(Memory())

    /// The headers of a log.
    public init(_ store: EventStore) {
        self.store = store
    }

    /// The number of a header, stored now if it is new. Give it only headers of verified objects. An empty one is 0.
    public func id(of header: [UInt8], at now: Milliseconds) async throws -> Int32 {
        if header.isEmpty { return 0 }
        return try await id(of: SHA256.hash(header), header: header, at: now)
    }

    /// The same where the header's hash is known: then it is neither hashed nor copied again.
    public func id(
        of hash: SHA256.Digest, header: @autoclosure () -> [UInt8], at now: Milliseconds
    ) async throws -> Int32 {
        if let id = memory.withLock({ $0.ids[hash] }) { return id }
        let header = header()
        let rows = try await store.run(Self.chainOf, hash.bytes, header, PostgresTimestamp(now))
        guard let row = rows.first else {
            throw EventLogError(.notMigrated, "chain_of answered nothing: run entitled migrate")
        }
        let id = try row.decode(Int32.self, at: 0)
        remember(header, hash: hash, id: id)
        return id
    }

    /// The header with a number; empty for 0.
    public func header(_ id: Int32) async throws -> [UInt8] {
        if id == 0 { return [] }
        if let header = memory.withLock({ $0.headers[id] }) { return header }
        guard let row = try await store.run(Self.readChain, id).first else {
            throw EventLogError(.corruptLog, "JWS header \(id) is not in the log")
        }
        let header = try row.decode([UInt8].self, at: 0)
        remember(header, hash: SHA256.hash(header), id: id)
        return header
    }

    /// The header with a hash: objects inside a stored payload are named so. Nil when the log has none.
    public func header(hash: SHA256.Digest) async throws -> [UInt8]? {
        if let header = memory.withLock({ memory in memory.ids[hash].flatMap { memory.headers[$0] } }) { return header }
        guard let row = try await store.run(Self.findChain, hash.bytes).first else { return nil }
        let header = try row.decode([UInt8].self, at: 1)
        remember(header, hash: hash, id: try row.decode(Int32.self, at: 0))
        return header
    }

    private func remember(_ header: [UInt8], hash: SHA256.Digest, id: Int32) {
        memory.withLock { memory in
            if memory.ids.count >= Self.maximumRemembered { memory = Memory() }
            memory.ids[hash] = id
            memory.headers[id] = header
        }
    }

    private static let chainOf = PostgresStatement(
        name: "chain_of", sql: "SELECT ev.chain_of($1, $2, $3)", parameterTypes: [.bytea, .bytea, .timestamptz])
    private static let findChain = PostgresStatement(
        name: "find_chain", sql: "SELECT c.chain_id, c.header FROM ev.chain c WHERE c.hash = $1",
        parameterTypes: [.bytea])
    private static let readChain = PostgresStatement(
        name: "read_chain", sql: "SELECT c.header FROM ev.chain c WHERE c.chain_id = $1", parameterTypes: [.int4])
}
