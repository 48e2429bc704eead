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

    private(set) var items: [Item]
    private var workspaces: [Int16: Workspace] = [:]
    private var versions: [Int16: [StreamRef: StreamVersion]] = [:]
    private let now: Milliseconds

    init(_ commands: [(app: ServedApp, command: Command)], now: Milliseconds) {
        self.now = now
        items = commands.map { Item(app: $0.app, progress: CommandProgress($0.command)) }
        for (app, _) in commands where workspaces[app.number] == nil {
            workspaces[app.number] = Workspace(app: app.terms)
            versions[app.number] = [:]
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

    mutating func take(_ state: AccountState, version: StreamVersion, of target: BatchAssembly.Target) {
        workspaces[target.app]?.load(state, of: target.stream)
        versions[target.app]?[target.stream] = version
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
            assembly.add(workspace, app: app, versions: versions[number] ?? [:]) {
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
