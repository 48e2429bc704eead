import Entitlements
import FoundationEssentials

@testable import EventLog

/// The log's rules in memory, one batch after the other: what append_batch must answer.
struct LogModel {
    struct Stream {
        var version = StreamVersion.empty
        var events: [EventContent] = []
        var places: [UUID: (seq: Int64, position: Int64)] = [:]
        var dates: Set<ResignedCopy> = []
        var state: FoldedState?
    }

    var streams: [StreamKey: Stream] = [:]
    var lanes: [Int16: Int64] = [:]
    var lineages: [LineageRef: LineageRecord] = [:]
    var known: Set<AccountID> = []

    mutating func append(_ groups: [AppendGroup]) -> [AppendResult] {
        var fits = groups.map(fits)
        for set in Set(groups.map(\.set)) where set > 0 {
            let members = groups.indices.filter { groups[$0].set == set }
            if members.contains(where: { !fits[$0] }) { for member in members { fits[member] = false } }
        }
        var results = groups.map { AppendResult(code: .conflict, version: 0, events: refusal(of: $0)) }
        // Positions are given in the order of the stream ids.
        for index in groups.indices.sorted(by: { groups[$0].key.id < groups[$1].key.id }) {
            if fits[index] {
                results[index].events = write(groups[index])
                results[index].code = .written
            } else if !groups[index].events.isEmpty, results[index].events.allSatisfy({ $0.code == .known }) {
                results[index].code = .known
            }
            results[index].version = streams[groups[index].key]?.version.version ?? 0
        }
        return results
    }

    /// The lineages that name an account which becomes known.
    mutating func register(_ account: AccountID) -> Set<LineageRef> {
        known.insert(account)
        return Set(lineages.filter { $0.value.hints.contains(account) }.keys)
    }

    private func fits(_ group: AppendGroup) -> Bool {
        let stream = streams[group.key] ?? Stream()
        return stream.version == group.expected
            && group.events.allSatisfy { stream.places[$0.dedupeKey] == nil }
            && group.lineages.allSatisfy { (lineages[$0.lineage]?.version ?? 0) == $0.expected }
            && group.lineages.allSatisfy { known.isDisjoint(with: $0.record?.hints ?? []) }
    }

    private func refusal(of group: AppendGroup) -> [AppendResult.EventResult] {
        let stream = streams[group.key] ?? Stream()
        return group.events.map { event in
            guard let place = stream.places[event.dedupeKey] else {
                return .init(code: .conflict, seq: stream.version.version, lanePosition: 0)
            }
            return .init(code: .known, seq: place.seq, lanePosition: place.position)
        }
    }

    private mutating func write(_ group: AppendGroup) -> [AppendResult.EventResult] {
        var stream = streams[group.key] ?? Stream()
        let lane = group.key.id.lane
        let results = group.events.map { event in
            if let place = stream.places[event.dedupeKey] {
                return AppendResult.EventResult(code: .known, seq: place.seq, lanePosition: place.position)
            }
            lanes[lane, default: 0] += 1
            stream.version.version += 1
            stream.events.append(event)
            let place = (seq: stream.version.version, position: lanes[lane, default: 0])
            stream.places[event.dedupeKey] = place
            return AppendResult.EventResult(code: .written, seq: place.seq, lanePosition: place.position)
        }
        if !group.resigned.isEmpty { stream.version.resigned += 1 }
        stream.dates.formUnion(group.resigned)
        stream.state = group.states[0]
        streams[group.key] = stream
        for change in group.lineages {
            guard var record = change.record else { continue }
            record.version = change.expected + 1
            lineages[change.lineage] = record
        }
        return results
    }
}

/// Accounts of which several share a lane, so that their positions interleave.
func crowdedAccounts(lanes: Int, each: Int) -> [Int] {
    let byLane = Dictionary(grouping: 0..<20_000) { key($0).id.lane }
    return byLane.filter { $0.value.count >= each }.sorted { $0.key < $1.key }.prefix(lanes)
        .flatMap { $0.value.prefix(each) }
}
