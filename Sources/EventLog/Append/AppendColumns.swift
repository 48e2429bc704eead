import Entitlements
import FoundationEssentials
import Postgres

/// A batch as the arrays of `ev.append_batch`, groups in the order of their ids.
struct AppendColumns {
    /// For each group of the statement its index in the batch.
    let order: [Int]
    private var parameters: PostgresParameters

    init(_ batch: AppendBatch) throws(EventLogError) {
        let ids = batch.groups.map(\.id)
        order = ids.indices.sorted { ids[$0] < ids[$1] }
        try Self.check(batch, ids: order.map { ids[$0] })
        let groups = order.map { batch.groups[$0] }
        let bytes = groups.reduce(0) { sum, group in
            group.events.reduce(sum) { $0 + $1.payload.count + $1.signature.count + 256 }
                + group.states.reduce(0) { $0 + $1.state.count + 64 }
        }
        parameters = PostgresParameters(reservingBytes: bytes + 512 * groups.count)
        try append(groups: groups, ids: order.map { ids[$0] })
        append(events: groups)
        append(resigned: groups)
        append(lineages: groups)
        append(states: groups, generations: batch.generations)
    }

    /// The parameters of `AppendStatement.statement`.
    func parameters(wait: Bool) -> PostgresParameters {
        var parameters = parameters
        parameters.append(wait)
        return parameters
    }

    private static func check(_ batch: AppendBatch, ids: [StreamID]) throws(EventLogError) {
        let events = batch.groups.reduce(0) { $0 + $1.events.count + $1.resigned.count }
        guard batch.groups.count <= AppendBatch.maximumGroups, events <= AppendBatch.maximumEvents else {
            throw EventLogError(
                .malformedBatch, "\(batch.groups.count) groups with \(events) events are too many for one batch")
        }
        guard zip(ids, ids.dropFirst()).allSatisfy({ $0 != $1 }) else {
            throw EventLogError(.malformedBatch, "a stream comes twice in a batch: put its events into one group")
        }
        for group in batch.groups {
            guard group.states.count == batch.generations.count else {
                throw EventLogError(.malformedBatch, "a group has not one state for each generation")
            }
            guard !group.events.isEmpty || (!group.resigned.isEmpty && group.expected.version > 0) else {
                throw EventLogError(.malformedBatch, "a group needs events, or dates of a stream that has some")
            }
            guard group.lineages.allSatisfy({ $0.lineage.environment == group.key.environment }) else {
                throw EventLogError(.malformedBatch, "a lineage belongs to another environment than its group")
            }
        }
    }

    private mutating func append(groups: [AppendGroup], ids: [StreamID]) throws(EventLogError) {
        var environments: [Int16] = []
        for group in groups { environments.append(try group.key.environment.number) }
        parameters.append(groups.map(\.set))
        parameters.append(ids.map(\.lane))
        parameters.append(ids.map(\.uuid))
        parameters.append(groups.map(\.expected.version))
        parameters.append(groups.map(\.expected.resigned))
        parameters.append(groups.map(\.key.app))
        parameters.append(environments)
        parameters.append(groups.map(\.key.account.uuid))
        parameters.append(groups.map { PostgresTimestamp($0.recordedAt) })
    }

    /// For each element of the groups its group's number, from 1.
    private func numbers(_ groups: [AppendGroup], _ count: (AppendGroup) -> Int) -> [Int32] {
        groups.enumerated().flatMap { repeatElement(Int32($0.offset + 1), count: count($0.element)) }
    }

    private mutating func append(events groups: [AppendGroup]) {
        let events = groups.flatMap(\.events)
        parameters.append(numbers(groups) { $0.events.count })
        parameters.append(events.map(\.dedupeKey))
        parameters.append(events.map(\.kind))
        parameters.append(events.map(\.source))
        parameters.append(events.map { PostgresTimestamp($0.occurredAt) })
        parameters.append(events.map { PostgresTimestamp($0.learnedAt) })
        parameters.append(events.map(\.catalogRevision))
        parameters.append(events.map(\.chainID))
        parameters.append(events.map(\.transactionId))
        parameters.append(events.map(\.originalTransactionId))
        parameters.append(events.map(\.payload))
        parameters.append(events.map(\.signature))
        parameters.append(events.map(\.meta))
    }

    private mutating func append(resigned groups: [AppendGroup]) {
        let copies = groups.flatMap(\.resigned)
        parameters.append(numbers(groups) { $0.resigned.count })
        parameters.append(copies.map(\.kind))
        parameters.append(copies.map(\.objectID))
        parameters.append(copies.map(\.contentHash))
        parameters.append(copies.map(\.signedAt))
    }

    private mutating func append(lineages groups: [AppendGroup]) {
        let changes = groups.flatMap(\.lineages)
        parameters.append(numbers(groups) { $0.lineages.count })
        parameters.append(changes.map(\.lineage.id))
        // A version beyond the column's range fits no row.
        parameters.append(changes.map { Int32(clamping: $0.expected) })
        parameters.append(changes.map { $0.record.map { $0.parties.flatMap(\.bytes) } })
        parameters.append(changes.map { $0.record?.hints.flatMap(\.bytes) ?? [] })
        parameters.append(changes.map { $0.record?.isLocked ?? false })
    }

    private mutating func append(states groups: [AppendGroup], generations: [Int32]) {
        let states = generations.indices.flatMap { generation in groups.map { $0.states[generation] } }
        parameters.append(generations)
        parameters.append(states.map(\.state))
        parameters.append(states.map(\.hash))
        parameters.append(states.map { $0.nextChangeAt.map(PostgresTimestamp.init) })
    }
}
