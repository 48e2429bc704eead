import AppStoreSimulator
import Entitlements
import Foundation
import FoundationNetworking
import Service
import Signatures
import TestSupport
import Testing

/// Asks a running service over HTTP.
struct ServiceClient: Sendable {
    let service: RunningService
    var bearer: String?

    struct Reply: Sendable {
        let status: Int
        let headers: [String: String]
        let body: Data

        func header(_ name: String) -> String? {
            headers.first { $0.key.lowercased() == name.lowercased() }?.value
        }

        func json() throws -> JSONObject {
            try #require(try JSONValue(parsing: Array(body), limits: .file).objectValue)
        }

        /// The problem's code, if this is one.
        func code() throws -> String? {
            guard header("Content-Type") == "application/problem+json" else { return nil }
            let problem = try json()
            #expect(problem["requestId"]?.stringValue == header("Request-Id"))
            #expect(problem["status"]?.integerValue == Int64(status))
            return problem["code"]?.stringValue
        }
    }

    /// As a device of an account.
    static func device(_ account: AccountID, of service: RunningService) throws -> ServiceClient {
        ServiceClient(service: service, bearer: try service.token(.device, account: account))
    }

    /// As somebody of another scope.
    static func scope(_ scope: Scope, of service: RunningService) throws -> ServiceClient {
        ServiceClient(service: service, bearer: try service.token(scope))
    }

    func send(
        _ method: String, _ path: String, body: Data? = nil, headers: [String: String] = [:]
    ) async throws -> Reply {
        var request = URLRequest(url: try #require(URL(string: service.url + path)))
        request.httpMethod = method
        request.timeoutInterval = 300
        request.cachePolicy = .reloadIgnoringLocalAndRemoteCacheData
        if let bearer { request.setValue("Bearer \(bearer)", forHTTPHeaderField: "Authorization") }
        if let body {
            request.httpBody = body
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        let (data, response) = try await session.data(for: request)
        let http = try #require(response as? HTTPURLResponse)
        var headers: [String: String] = [:]
        for (name, value) in http.allHeaderFields { headers["\(name)"] = "\(value)" }
        return Reply(status: http.statusCode, headers: headers, body: data)
    }

    func send(_ method: String, _ path: String, json: JSONValue, headers: [String: String] = [:]) async throws -> Reply
    {
        try await send(method, path, body: Data(json.text.utf8), headers: headers)
    }

    static func path(_ account: AccountID, _ rest: String, app: String = RunningService.bundleId) -> String {
        "/v1/apps/\(app)/accounts/\(account)/\(rest)"
    }

    func push(_ transactions: [String], account: AccountID, to rest: String = "transactions") async throws -> Reply {
        try await send(
            "POST", Self.path(account, rest), json: ["signedTransactions": .array(transactions.map(JSONValue.string))])
    }

    func entitlements(_ account: AccountID, _ query: String = "", headers: [String: String] = [:]) async throws -> Reply
    {
        try await send("GET", Self.path(account, "entitlements\(query)"), headers: headers)
    }
}

/// Signed objects of the test authority.
struct SignedData {
    let service: RunningService

    /// The decoded payload of a purchase.
    static func payload(_ id: Int, product: String = "pro.m", at now: Milliseconds = RunningService.start) -> JSONObject
    {
        let types = [
            "pro.m": "Auto-Renewable Subscription", "life": "Non-Consumable", "coins100": "Consumable",
        ]
        var payload: JSONObject = [
            "transactionId": .string("\(id)"), "originalTransactionId": .string("\(id)"),
            "bundleId": .string(RunningService.bundleId), "productId": .string(product),
            "type": .string(types[product] ?? "Non-Consumable"), "purchaseDate": .integer(now),
            "originalPurchaseDate": .integer(now), "signedDate": .integer(now), "environment": "Production",
            "inAppOwnershipType": "PURCHASED", "quantity": 1,
        ]
        if product == "pro.m" { payload["expiresDate"] = .integer(now + 30 * Time.day) }
        return payload
    }

    func transaction(_ id: Int, product: String = "pro.m", changing: JSONObject = [:]) throws -> String {
        var payload = Self.payload(id, product: product, at: service.clock.now())
        for member in changing.members { payload[member.name] = member.value }
        return try service.authority.sign(payload)
    }

    func notification(_ uuid: String, type: String = "SUBSCRIBED", transaction: String?) throws -> String {
        var data: JSONObject = [
            "environment": "Production", "bundleId": .string(RunningService.bundleId), "appAppleId": 1_234_567_890,
        ]
        if let transaction { data["signedTransactionInfo"] = .string(transaction) }
        return try service.authority.sign([
            "notificationType": .string(type), "notificationUUID": .string(uuid), "version": "2.0",
            "signedDate": .integer(service.clock.now()), "data": .object(data),
        ])
    }
}

func newAccount() -> AccountID { AccountID(UUID()) }
