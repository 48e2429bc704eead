import Entitlements
import EventLog

/// A batch on its way: the commands of several apps, decided against what was loaded. No I/O; the writer loads and appends.
struct WriterBatch {
    /// A command and its app.
    struct Item {
        let app: ServedApp
        var progress: CommandProgress
    }

    /// What is to be loaded.
    struct Load {
        var streams: [BatchAssembly.Target] = []
        var lineages: [LineageKey] = []
        var accounts: [AccountKey] = []
        var histories: [(app: Int16, history: Workspace.History)] = []
    }

    /// How far a stream was when it was loaded, and the length of its state there.
    struct Position {
        var version: StreamVersion
        var bytes: Int
    }

    private(set) var items: [Item]
    private var workspaces: [Int16: Workspace] = [:]
    private var positions: [BatchAssembly.Target: Position] = [:]
    /// Taken from memory, so perhaps of the past.
    private var recalledStreams: Set<BatchAssembly.Target> = []
    private var recalledRecords: [LineageKey: Int64] = [:]
    private let now: Milliseconds

    init(_ commands: [(app: ServedApp, command: Command)], now: Milliseconds) {
        self.now = now
        items = commands.map { Item(app: $0.app, progress: CommandProgress($0.command)) }
        for (app, _) in commands where workspaces[app.number] == nil {
            workspaces[app.number] = Workspace(app: app.terms)
        }
    }

    /// What the commands will surely ask for: loaded in one round trip, before they ask.
    func foreseen() -> Load {
        var needs: [Int16: Workspace.Needs] = [:]
        for item in items { item.progress.command.foresee(into: &needs[item.app.number, default: .init()]) }
        return load(needs)
    }

    /// Decides what can be decided. Returns what is missing; empty when all is decided.
    mutating func advance() -> Load {
        var needs: [Int16: Workspace.Needs] = [:]
        for index in items.indices {
            let app = items[index].app.number
            guard let missing = workspaces[app]?.advance(&items[index].progress, now: now) else { continue }
            needs[app, default: .init()].formUnion(missing)
        }
        return load(needs)
    }

    private func load(_ needs: [Int16: Workspace.Needs]) -> Load {
        var load = Load()
        for (app, needs) in needs {
            let known = workspaces[app]
            load.streams += needs.streams.filter { known?.states[$0] == nil }.map {
                BatchAssembly.Target(app: app, stream: $0)
            }
            load.lineages += needs.lineages.filter { known?.records[$0] == nil }.map { LineageKey(app: app, $0) }
            load.accounts += needs.accounts.filter { known?.knownAccounts[$0] == nil }.map { AccountKey(app: app, $0) }
            load.histories += needs.histories.map { (app, $0) }
        }
        return load
    }

    // MARK: What was loaded

    mutating func take(_ state: AccountState, at position: Position, of target: BatchAssembly.Target) {
        workspaces[target.app]?.load(state, of: target.stream)
        positions[target] = position
    }

    mutating func take(_ record: LineageRecord, of key: LineageKey) {
        workspaces[key.app]?.load(record, of: key.lineage)
    }

    mutating func take(isKnown: Bool, of key: AccountKey) {
        workspaces[key.app]?.load(isKnown: isKnown, of: key.account)
    }

    mutating func take(_ events: [Event], of history: Workspace.History, app: Int16) {
        workspaces[app]?.load(events, of: history)
    }

    // MARK: What is remembered

    /// Takes from memory what it has, and returns what is still to be loaded. Who is known is always read: an append compares
    /// only that nobody unknown has become known.
    mutating func recall(_ load: Load, from recent: inout RecentStates) -> Load {
        var missing = load
        missing.streams.removeAll { target in
            guard let stream = recent.take(target) else { return false }
            take(stream.state, at: Position(version: stream.version, bytes: stream.bytes), of: target)
            recalledStreams.insert(target)
            return true
        }
        missing.lineages.removeAll { key in
            guard let record = recent.take(key) else { return false }
            take(record, of: key)
            recalledRecords[key] = record.version
            return true
        }
        return missing
    }

    /// How many streams came from memory.
    var recalledCount: Int { recalledStreams.count }

    /// What was decided on from memory and is compared by no group of the append: to be compared before it.
    var unconfirmed: (streams: [BatchAssembly.Target: StreamVersion], lineages: [LineageKey: Int64]) {
        var streams: [BatchAssembly.Target: StreamVersion] = [:]
        for target in recalledStreams where workspaces[target.app]?.pending[target.stream] == nil {
            streams[target] = positions[target]?.version
        }
        return (streams, recalledRecords.filter { group(of: $0.key) == nil })
    }

    /// The stream whose append compares a directory row.
    private func group(of key: LineageKey) -> BatchAssembly.Target? {
        guard let workspace = workspaces[key.app], let used = workspace.usedRecords[key.lineage],
            workspace.pending[used.stream] != nil
        else { return nil }
        return BatchAssembly.Target(app: key.app, stream: used.stream)
    }

    /// Keeps what is right after the append: all but the streams that `failed`, and the rows that went with them.
    func remember(
        in recent: inout RecentStates, written: [BatchAssembly.Target: Position], failed: Set<BatchAssembly.Target>
    ) {
        for (app, workspace) in workspaces {
            for (stream, state) in workspace.states {
                let target = BatchAssembly.Target(app: app, stream: stream)
                guard !failed.contains(target), let position = written[target] ?? positions[target],
                    position.version.version == state.version
                else { continue }
                recent.keep(
                    RecentStates.Stream(state: state, version: position.version, bytes: position.bytes), of: target)
            }
            for (lineage, record) in workspace.records {
                let key = LineageKey(app: app, lineage)
                if workspace.usedRecords[lineage] != nil {
                    guard let group = group(of: key), !failed.contains(group) else { continue }
                }
                recent.keep(record, of: key)
            }
        }
    }

    // MARK: The append

    /// The append of all that was decided, and the views it leads to.
    func assemble(log: LogIdentity) -> (assembly: BatchAssembly, views: [BatchAssembly.Target: View]) {
        var assembly = BatchAssembly()
        for item in items where item.progress.streams.count > 1 {
            assembly.link(item.progress.streams, app: item.app.number)
        }
        var views: [BatchAssembly.Target: View] = [:]
        let apps = Dictionary(items.map { ($0.app.number, $0.app) }) { first, _ in first }
        for (number, workspace) in workspaces {
            guard let app = apps[number] else { continue }
            for (stream, state) in workspace.states {
                guard case .account = stream else { continue }
                views[BatchAssembly.Target(app: number, stream: stream)] = View(
                    state: state, key: StreamKey(app: number, stream), app: app, log: log, now: now)
            }
            assembly.add(workspace, app: app) {
                positions[BatchAssembly.Target(app: number, stream: $0)]?.version ?? .empty
            } nextChangeAt: {
                views[BatchAssembly.Target(app: number, stream: $0)]?.snapshot.nextChangeAt
            }
        }
        assembly.finish()
        return (assembly, views)
    }
}

extension Workspace.Needs {
    mutating func formUnion(_ other: Workspace.Needs) {
        streams.formUnion(other.streams)
        lineages.formUnion(other.lineages)
        accounts.formUnion(other.accounts)
        histories.formUnion(other.histories)
    }
}
