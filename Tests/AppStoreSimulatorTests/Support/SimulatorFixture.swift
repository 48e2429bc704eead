import AppStore
import AppStoreSimulator
import Entitlements
import EventLoop
import Foundation
import FoundationNetworking
import Signatures
import Synchronization

/// Making keys takes time, so all tests share them. Without them none can say anything.
let authority: SigningAuthority = {
    do { return try SigningAuthority() } catch { preconditionFailure("no signing authority: \(error)") }
}()

let apiKey: ServerAPIKey = {
    do { return try ServerAPIKey() } catch { preconditionFailure("no key: \(error)") }
}()

/// Takes notifications as a test wishes, and keeps what came.
final class CollectingSender: NotificationSender {
    private let state = Mutex<(bodies: [String], results: [String])>(([], []))

    /// The words to answer with, one after the other; then `SUCCESS`.
    init(_ results: [String] = []) { state.withLock { $0.results = results } }

    func send(_ body: [UInt8], to url: String) async -> String {
        state.withLock { state in
            let object = (try? JSONValue(parsing: body, limits: .file))?.objectValue
            state.bodies.append(object?["signedPayload"]?.stringValue ?? "")
            return state.results.isEmpty ? "SUCCESS" : state.results.removeFirst()
        }
    }

    var payloads: [String] { state.withLock { $0.bodies } }

    /// What they say, those that can be read.
    var notifications: [JSONObject] { payloads.compactMap { try? decoded($0) } }
}

/// A simulator behind HTTP whose time moves by steps.
struct SimulatorFixture {
    let simulator: Simulator
    let port: Int
    private let session = URLSession(configuration: .ephemeral)

    struct Answer {
        let status: Int
        let body: [UInt8]
        let headers: [String: String]
        var json: JSONObject { (try? JSONValue(parsing: body, limits: .file))?.objectValue ?? JSONObject() }
        var errorCode: Int64? { json["errorCode"]?.integerValue }
        func text(_ name: String) -> String { json[name]?.stringValue ?? "" }
    }

    func send(_ method: String, _ path: String, body: JSONValue? = nil, token: String? = nil) async throws -> Answer {
        guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else { throw URLError(.badURL) }
        var request = URLRequest(url: url, timeoutInterval: 120)
        request.httpMethod = method
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        if let body {
            request.httpBody = Data(body.text.utf8)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        let (data, response) = try await session.data(for: request)
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields { headers["\(name)".lowercased()] = "\(value)" }
        return Answer(status: response.statusCode, body: Array(data), headers: headers)
    }

    /// Calls the Server API with a good token.
    func api(_ method: String, _ path: String, body: JSONValue? = nil) async throws -> Answer {
        try await send(method, "/inApps\(path)", body: body, token: try token())
    }

    @discardableResult
    func act(_ act: JSONValue) async throws -> JSONObject {
        let answer = try await send("POST", "/simulator/acts", body: act)
        guard answer.status == 200 else { throw ActFailure(status: answer.status, body: answer.json) }
        return answer.json
    }

    struct ActFailure: Error {
        let status: Int
        let body: JSONObject
    }

    @discardableResult
    func pass(_ span: Milliseconds) async throws -> JSONObject {
        try await send("POST", "/simulator/clock", body: ["advanceMs": .integer(span)]).json
    }

    func token(_ change: (inout JSONObject, inout JSONObject) -> Void = { _, _ in }, key: ServerAPIKey = apiKey)
        throws -> String
    {
        let now = Int64(Date().timeIntervalSince1970)
        var header: JSONObject = ["alg": "ES256", "kid": .string(key.keyId), "typ": "JWT"]
        var claims: JSONObject = [
            "iss": .string(key.issuerId), "iat": .integer(now), "exp": .integer(now + 300),
            "aud": "appstoreconnect-v1", "bid": .string(Shop.bundleId),
        ]
        change(&header, &claims)
        return try CompactJWS.sign(
            header: Array(JSONValue.object(header).text.utf8), payload: Array(JSONValue.object(claims).text.utf8),
            by: key.privateKey)
    }
}

func withSimulator(
    environment: Entitlements.Environment = .sandbox, sender: CollectingSender = CollectingSender(),
    change: (inout Simulator.Options) -> Void = { _ in }, _ body: (SimulatorFixture) async throws -> Void
) async throws {
    var options = Simulator.Options(settings: Shop.settings(environment), catalog: try Shop.catalog())
    options.key = apiKey
    options.start = Shop.start
    options.speed = 0
    options.notificationURL = "http://127.0.0.1:1/notifications"
    change(&options)
    let loops = try EventLoopGroup(loopCount: 1)
    let simulator = try Simulator(options, authority: authority)
    let server = try await SimulatorServer.start(simulator, on: loops, sender: sender)
    do {
        try await body(SimulatorFixture(simulator: simulator, port: server.port))
    } catch {
        await server.stop()
        await loops.shutdown()
        throw error
    }
    await server.stop()
    await loops.shutdown()
}

/// What a JWS says, unverified.
func decoded(_ jws: String) throws -> JSONObject {
    let payload = try CompactJWS(Array(jws.utf8)).payload()
    return try JSONValue(parsing: payload, limits: .file).objectValue ?? JSONObject()
}

extension SimulatorFixture.Answer {
    /// The payloads of a list of JWS.
    func payloads(_ name: String) throws -> [JSONObject] {
        try (json[name]?.arrayValue ?? []).compactMap(\.stringValue).map(decoded)
    }
}
