import Entitlements
import EventLog

/// Makes one append of what commands decided: a group a stream, and a set for streams that must go together.
struct BatchAssembly {
    /// A stream of an app: batches mix apps.
    struct Target: Hashable {
        var app: Int16
        var stream: StreamRef
    }

    private(set) var batch = AppendBatch(generations: Projection.generations)
    /// The group of each stream, as an index into the batch.
    private(set) var groups: [Target: Int] = [:]
    private var sets = DisjointSets<Target>()

    /// Events in the batch.
    var eventCount: Int { batch.groups.reduce(0) { $0 + $1.events.count } }

    /// Streams that one command touched are appended all or none.
    mutating func link(_ streams: Set<StreamRef>, app: Int16) {
        guard let first = streams.first else { return }
        for stream in streams {
            sets.join(Target(app: app, stream: first), Target(app: app, stream: stream))
        }
    }

    /// Adds what an app's workspace has pending. `version` is that loaded; `nextChangeAt` goes with the new states.
    mutating func add(
        _ workspace: Workspace, app: ServedApp, version: (StreamRef) -> StreamVersion,
        nextChangeAt: (StreamRef) -> Milliseconds?
    ) {
        for (stream, pending) in workspace.pending {
            guard let state = workspace.states[stream] else { continue }
            let target = Target(app: app.number, stream: stream)
            let folded = Projection.folded(state, nextChangeAt: nextChangeAt(stream))
            groups[target] = batch.groups.count
            batch.groups.append(
                AppendGroup(
                    key: StreamKey(app: app.number, stream), expected: version(stream),
                    recordedAt: state.lastRecordedAt,
                    events: pending.events.map {
                        EventCodec.content(
                            of: $0, catalogRevision: app.catalogRevision, erasedAt: state.erasedAt)
                    },
                    resigned: pending.notes.map(EventCodec.resigned),
                    lineages: Self.changes(workspace, for: stream),
                    states: Projection.generations.map { _ in folded }))
        }
    }

    /// Numbers the sets; call once, at the end.
    mutating func finish() {
        // Most batches have none.
        if sets.isEmpty { return }
        var numbers: [Target: Int32] = [:]
        var sizes: [Target: Int] = [:]
        for target in groups.keys { sizes[sets.root(of: target), default: 0] += 1 }
        for (target, index) in groups {
            let root = sets.root(of: target)
            guard sizes[root, default: 0] > 1 else { continue }
            let number = numbers[root] ?? Int32(numbers.count + 1)
            numbers[root] = number
            batch.groups[index].set = number
        }
    }

    private static func changes(_ workspace: Workspace, for stream: StreamRef) -> [LineageChange] {
        workspace.usedRecords.compactMap { lineage, used in
            guard used.stream == stream else { return nil }
            if used.isChanged, let record = workspace.records[lineage] {
                return .write(record, of: lineage, expected: used.loadedVersion)
            }
            return used.loadedVersion > 0 ? .check(lineage, expected: used.loadedVersion) : nil
        }
    }
}

/// Which elements belong together (union-find).
struct DisjointSets<Element: Hashable> {
    private var parents: [Element: Element] = [:]

    /// Whether nothing was joined.
    var isEmpty: Bool { parents.isEmpty }

    mutating func join(_ left: Element, _ right: Element) {
        let (a, b) = (root(of: left), root(of: right))
        if a != b { parents[a] = b }
    }

    mutating func root(of element: Element) -> Element {
        var root = element
        while let parent = parents[root], parent != root { root = parent }
        if root != element { parents[element] = root }
        return root
    }
}
