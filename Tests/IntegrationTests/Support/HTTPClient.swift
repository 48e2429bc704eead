import Entitlements
import Foundation
import FoundationNetworking

/// A plain HTTP client of a service on loopback.
struct HTTPClient: Sendable {
    /// An answer.
    struct Answer: Sendable {
        let status: Int
        let headers: [String: String]
        let body: [UInt8]

        /// The body as a JSON object; empty when it is none.
        var json: JSONObject {
            (try? JSONValue(parsing: body, limits: .file))?.objectValue ?? JSONObject()
        }
    }

    private let base: String
    private let session: URLSession

    init(port: Int) {
        base = "http://127.0.0.1:\(port)"
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 64
        configuration.timeoutIntervalForRequest = 120
        session = URLSession(configuration: configuration)
    }

    func send(
        _ method: String, _ path: String, token: String? = nil, body: JSONObject? = nil,
        headers: [String: String] = [:]
    ) async throws -> Answer {
        guard let url = URL(string: base + path) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        if let body {
            request.httpBody = Data(JSONValue.object(body).text.utf8)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        let (data, response) = try await session.data(for: request)
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { headers[name.lowercased()] = value }
        }
        return Answer(status: response.statusCode, headers: headers, body: Array(data))
    }
}
