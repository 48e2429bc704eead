import EntitledClient
import Entitlements
import Foundation
import Testing

/// A device: a directory, clocks that a test moves, and a client library that can be started again and again.
struct Device: Sendable {
    let account: AccountID
    let clock = HurriedClock()
    private let directory: URL
    private let configuration: ClientConfiguration

    /// A device on which nothing was ever started. `port` is where it reaches the service; the keys of that service are
    /// pinned, asked for at `keysAt`. A push waits for half a minute of the machine's time, or `pushWait` of the device's.
    init(
        of account: AccountID, app: String = DevProcess.sampleApp, port: Int, token: String, keysAt service: HTTPClient,
        pushWait: Milliseconds = 600_000
    ) async throws {
        self.account = account
        directory = FileManager.default.temporaryDirectory.appending(
            path: "entitled-device-\(UUID().uuidString.prefix(8))")
        let keys = try PinnedKeys(jwks: await service.send("GET", "/.well-known/jwks.json").body)
        var configuration = ClientConfiguration(
            service: try #require(URL(string: "http://127.0.0.1:\(port)")), bundleId: app, environment: .sandbox,
            account: account, pinnedKeys: keys, storageDirectory: directory, token: { token })
        configuration.clock = clock
        configuration.limits.pushWait = pushWait
        self.configuration = configuration
    }

    /// The app starts. What it shows at first is noted before it talks to anybody.
    func launch() async throws -> RunningClient {
        let client = try EntitledClient(configuration: configuration)
        let running = RunningClient(client)
        await client.start()
        return running
    }

    /// Something on the device damages the kept snapshot in its middle.
    func damageSnapshot() throws {
        let accounts = directory.appending(path: "accounts")
        for name in try FileManager.default.contentsOfDirectory(atPath: accounts.path) {
            let file = accounts.appending(path: "\(name)/snapshot.jws")
            var bytes = try Data(contentsOf: file)
            bytes[bytes.count / 2] ^= 1
            try bytes.write(to: file)
        }
    }

    /// The device is thrown away.
    func remove() { try? FileManager.default.removeItem(at: directory) }
}

/// A started client and all that it has told its observers.
struct RunningClient: Sendable {
    let client: EntitledClient
    private let told: Collected<Verdict<AccountView>>
    private let statuses: Collected<ConnectionStatus>
    private let remarks: Collected<ClientDiagnostic>

    init(_ client: EntitledClient) {
        self.client = client
        told = Collected(client.updates)
        statuses = Collected(client.connectionStatus)
        remarks = Collected(client.diagnostics)
    }

    /// The views shown so far, oldest first.
    var views: [AccountView] { told.elements.compactMap { try? $0.payloadValue } }
    var status: ConnectionStatus? { statuses.elements.last }
    var subjects: Set<ClientDiagnostic.Subject> { Set(remarks.elements.map(\.subject)) }

    /// The answers about an entitlement in the order they were shown.
    func answers(about entitlement: String) -> [EntitlementAnswer] { views.map { $0.answer(for: entitlement) } }

    /// What is not delivered yet.
    var unfinished: [UnfinishedPush] {
        get async {
            var pushes: [UnfinishedPush] = []
            for await push in client.unfinished { pushes.append(push) }
            return pushes
        }
    }
}

/// Notes everything that a stream of a client says.
final class Collected<Element: Sendable>: Sendable {
    private let notes = Notes<Element>()
    private let task: Task<Void, Never>

    init(_ stream: AsyncStream<Element>) {
        task = Task { [notes] in for await element in stream { notes.add(element) } }
    }

    deinit { task.cancel() }

    var elements: [Element] { notes.all }
}
