import Entitlements
public import EventLoop
import Signatures

/// A simulator behind HTTP: the App Store Server API under `/inApps`, and what drives it under `/simulator`.
public final class SimulatorServer: Sendable {
    /// Where it listens.
    public let port: Int
    /// What it serves.
    public let simulator: Simulator
    private let server: HTTPServer
    private let courier: Task<Void, Never>
    private let ticker: Task<Void, Never>

    /// How often the clock is looked at.
    private static let tick = Duration.milliseconds(50)

    private init(
        simulator: Simulator, server: HTTPServer, courier: Task<Void, Never>, ticker: Task<Void, Never>
    ) {
        port = server.port
        self.simulator = simulator
        self.server = server
        self.courier = courier
        self.ticker = ticker
    }

    /// Listens, sends notifications, and lets time pass. Throws `EventLoopError` if the address cannot be used.
    public static func start(
        _ simulator: Simulator, address: String = "127.0.0.1", port: Int = 0, on loops: EventLoopGroup,
        sender: any NotificationSender
    ) async throws(EventLoopError) -> SimulatorServer {
        var configuration = HTTPServer.Configuration()
        configuration.address = address
        configuration.port = port
        configuration.maxBodyBytes = 1 << 20
        let desk = RequestDesk(simulator)
        let server = try await HTTPServer.start(configuration, on: loops) { desk.handle($0, $1) }
        let courier = Task { await Courier(simulator, sender).run() }
        let ticker = Task {
            while !Task.isCancelled {
                try? simulator.tick()
                try? await Task.sleep(for: tick)
            }
        }
        return SimulatorServer(simulator: simulator, server: server, courier: courier, ticker: ticker)
    }

    /// Stops listening and sending. The loops are the caller's.
    public func stop() async {
        ticker.cancel()
        courier.cancel()
        simulator.endNews()
        await courier.value
        await ticker.value
        await server.drain(within: .seconds(1))
    }
}

/// Takes each request to where it is answered. Everything is in memory and is answered on the loop.
struct RequestDesk: Sendable {
    let simulator: Simulator

    init(_ simulator: Simulator) { self.simulator = simulator }

    func handle(_ request: HTTPRequest, _ responder: HTTPResponder) {
        let path = request.pathSegments
        switch path.first {
        case "inApps": ServerAPIDesk(simulator: simulator).handle(request, Array(path.dropFirst()), responder)
        case "simulator": responder.send(DrivingDesk(simulator: simulator).answer(request, Array(path.dropFirst())))
        default: responder.send(.problem(404, "unknownPath", "There is nothing here: see /simulator/state, /inApps/…"))
        }
    }
}

extension HTTPResponse {
    static func json(_ object: JSONObject, status: Int = 200) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [Header("Content-Type", "application/json")],
            body: Array(JSONValue.object(object).text.utf8))
    }

    /// A refusal in words for people, with a stable code.
    static func problem(_ status: Int, _ code: String, _ detail: String) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [Header("Content-Type", "application/problem+json")],
            body: Array((["code": .string(code), "detail": .string(detail)] as JSONValue).text.utf8))
    }
}
