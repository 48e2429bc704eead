import EntitledClient
import Entitlements
import EventLoop
import Foundation

/// Serves the paywall page to browsers of this machine. The page asks for its state once a second: an app would observe the
/// client itself.
struct PageServer {
    let port: Int
    private let group: EventLoopGroup
    private let server: HTTPServer

    static func start(port: Int, client: EntitledClient, entitlements: [String]) async throws -> PageServer {
        let group = try EventLoopGroup(loopCount: 1)
        var configuration = HTTPServer.Configuration()
        configuration.port = port
        configuration.maxConnections = 100
        let routes = PageRoutes(client: client, entitlements: entitlements)
        let server = try await HTTPServer.start(configuration, on: group) { request, responder in
            Task { responder.send(await routes.answer(request)) }
        }
        return PageServer(port: server.port, group: group, server: server)
    }
}

/// What is at which address.
private struct PageRoutes: Sendable {
    let client: EntitledClient
    let entitlements: [String]

    func answer(_ request: HTTPRequest) async -> HTTPResponse {
        // A foreign page whose host name was bent to this machine gets nothing.
        let host = request.headers["host"]?.split(separator: ":").first.map(String.init) ?? ""
        guard ["127.0.0.1", "localhost"].contains(host) else { return HTTPResponse(status: 421) }
        switch (request.method, request.path) {
        case ("GET", "/"), ("GET", "/states"):
            return HTTPResponse(
                status: 200,
                headers: [
                    .init("Content-Type", "text/html; charset=utf-8"),
                    .init(
                        "Content-Security-Policy",
                        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'"),
                ], body: PackageResources.paywall_html)
        case ("GET", "/state"): return await state()
        case ("GET", "/examples"):
            return json(
                .array(PageExamples.all.map { ["title": .string($0.title), "state": $0.state.json] }))
        case ("POST", "/pending"):
            // Another site's page cannot send this header without asking first, and is never answered yes.
            guard request.headers["entitled-sample"] == "1" else { return HTTPResponse(status: 403) }
            return await reportPending(String(decoding: request.body, as: UTF8.self))
        default: return HTTPResponse(status: 404)
        }
    }

    /// There is no store here, so "buying" is what it is for a child: it waits for an approval.
    private func reportPending(_ product: String) async -> HTTPResponse {
        do {
            try await client.purchaseIsPending(productId: product)
        } catch {
            return HTTPResponse(
                status: 400, headers: [.init("Content-Type", "text/plain; charset=utf-8")],
                body: Array(error.description.utf8))
        }
        return await state()
    }

    private func state() async -> HTTPResponse {
        var status = ConnectionStatus.stopped
        for await present in client.connectionStatus {
            status = present
            break
        }
        let view = await client.view
        return json(PageState(view, status, extra: entitlements).json)
    }

    private func json(_ value: JSONValue) -> HTTPResponse {
        HTTPResponse(
            status: 200, headers: [.init("Content-Type", "application/json"), .init("Cache-Control", "no-store")],
            body: Array(value.text.utf8))
    }
}
