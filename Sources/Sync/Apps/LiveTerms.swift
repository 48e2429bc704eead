import AppStore
public import Entitlements
public import EventLog
import Synchronization

/// The apps, catalogs and activation in force, shared by all loops of a process; refreshed from the log now and then, and at
/// once after an own change.
public final class LiveTerms: Sendable {
    private struct Current {
        var log: LogIdentity
        var apps: [Int16: ServedApp] = [:]
        var numbers: [String: Int16] = [:]
        var catalogs: [Int16: [(StoredCatalog, Catalog)]] = [:]
        /// Refreshes begun, and the newest-begun one whose reading is in force.
        var begun = 0
        var inForce = 0
    }

    /// Reads a catalog document.
    public typealias ReadCatalog = @Sendable (String) throws -> Catalog

    private let current: Mutex<Current>
    private let isDevelopment: Bool
    private let readCatalog: ReadCatalog

    /// Terms before the first refresh: no apps.
    public init(log: LogIdentity, isDevelopment: Bool, readCatalog: @escaping ReadCatalog) {
        current = Mutex(Current(log: log))
        self.isDevelopment = isDevelopment
        self.readCatalog = readCatalog
    }

    /// Epoch, activation and generation.
    public var log: LogIdentity { current.withLock { $0.log } }
    /// The apps by number.
    public var apps: [ServedApp] { current.withLock { Array($0.apps.values) } }

    /// The app of a bundle id.
    public func app(bundleId: String) -> ServedApp? {
        current.withLock { current in current.numbers[bundleId].flatMap { current.apps[$0] } }
    }

    /// The app of a number.
    public func app(number: Int16) -> ServedApp? { current.withLock { $0.apps[number] } }

    /// Every revision of an app's catalog, ascending.
    public func revisions(of app: Int16) -> [(stored: StoredCatalog, catalog: Catalog)] {
        current.withLock { $0.catalogs[app] ?? [] }.map { (stored: $0.0, catalog: $0.1) }
    }

    /// What a refresh changed, for held polls.
    public struct Change: Sendable {
        /// Apps whose activation grew; with their new activation.
        public var activations: [(app: Int16, activation: Int64)]
    }

    /// Reads apps, new catalog revisions and the activation.
    public func refresh(from store: EventStore) async throws -> Change {
        // Of two at once the one that began later has read the later state, whichever ends first.
        let turn = current.withLock { current in
            current.begun += 1
            return current.begun
        }
        let log = try await store.identity()
        let apps = try await store.apps()
        var catalogs = current.withLock { $0.catalogs }
        for app in apps {
            var known = catalogs[app.app] ?? []
            for revision in try await store.catalogRevisions(app: app.app, after: known.last?.0.revision ?? 0) {
                known.append((revision, try readCatalog(revision.document)))
            }
            catalogs[app.app] = known
        }
        return current.withLock { [catalogs] current in
            var change = Change(activations: [])
            guard turn > current.inForce else { return change }
            current.inForce = turn
            var served: [Int16: ServedApp] = [:]
            for app in apps {
                guard let now = ServedApp(app, catalogs: catalogs[app.app] ?? [], isDevelopment: isDevelopment)
                else { continue }
                let activation = now.activation(of: log)
                if let before = current.apps[app.app], before.activation(of: current.log) < activation {
                    change.activations.append((app.app, activation))
                }
                served[app.app] = now
            }
            current.log = log
            current.apps = served
            current.numbers = Dictionary(
                served.values.map { ($0.identity.bundleId, $0.number) }, uniquingKeysWith: { first, _ in first })
            current.catalogs = catalogs
            return change
        }
    }
}

/// The time, passed in so that tests decide it.
public protocol Clock: Sendable {
    /// Now, in milliseconds since 1970.
    func now() -> Milliseconds
}
