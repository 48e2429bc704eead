import Entitlements
import EventLog
import EventLoop
import Sync
import Synchronization

/// What the routes share.
struct Backend: Sendable {
    let engine: SyncEngine
    let store: EventStore
    let keys: ServiceKeys
    let presenter: ViewPresenter
    let drivers: [HoldDriver]
    let catalogs: CatalogDesk
    let metrics: Metrics
    let clock: any Clock
    let limits: ServiceSettings.Limits
    let state: RunningState

    /// The app in the path, if it is served.
    func app(_ call: Call) throws(Problem) -> ServedApp {
        let bundleID = try call.bundleID()
        guard let app = engine.terms.app(bundleId: bundleID) else { throw Problem(.unknownApp) }
        return app
    }

    /// The driver of the holds on a loop.
    func driver(on loop: EventLoop) -> HoldDriver {
        // There is one for each loop of the group, and at least one loop.
        drivers.first { $0.loop === loop } ?? drivers[0]
    }
}

/// Whether the service is to be sent requests.
final class RunningState: Sendable {
    private let draining = Atomic<Bool>(false)

    /// Whether it is about to end.
    var isDraining: Bool { draining.load(ordering: .relaxed) }

    /// It is about to end.
    func beginDraining() { draining.store(true, ordering: .relaxed) }
}
