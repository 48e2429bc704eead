import Entitlements
import EventLog
import EventLoop
import Sync

/// What anybody may ask, and the metrics.
struct HealthRoutes {
    let backend: Backend
    let gauges: LiveGauges

    var routes: [Route] {
        [
            Route("GET", "/healthz", .anyone, .immediate { _ in .json(["status": "alive"]) }),
            Route("GET", "/readyz", .anyone, .asynchronous { _ in .answer(try await ready()) }),
            Route("GET", "/.well-known/jwks.json", .anyone, .immediate { _ in keys() }),
            Route(
                "GET", "/metrics", .scopes([.metrics, .support, .admin]),
                .asynchronous { call in .answer(try await metrics(call)) }),
        ]
    }

    private func ready() async throws -> Answer {
        guard !backend.state.isDraining else { throw Problem(.draining, retryAfter: 1) }
        do {
            _ = try await backend.store.identity()
        } catch {
            throw Problem(.notReady, "The database cannot be reached.", retryAfter: 1)
        }
        return .json(["status": "ready"])
    }

    private func keys() -> Answer {
        var answer = Answer.json(backend.keys.jwks)
        // Verifiers may keep the keys for a while: a new key is in the file before it signs.
        answer.response.headers = [
            HTTPResponse.Header("Content-Type", "application/json"),
            HTTPResponse.Header("Cache-Control", "public, max-age=300"),
        ]
        return answer
    }

    /// The numbers are about every app: an operator of one app has no business with them.
    private func metrics(_ call: Call) async throws -> Answer {
        guard let token = call.token, token.app == nil || token.scope == .metrics else {
            throw Problem(.forbiddenApp, "The metrics are about every app, and the token is for one.")
        }
        let text = backend.metrics.text(gauges: await gauges.read())
        return Answer(
            HTTPResponse(
                status: 200,
                headers: [
                    HTTPResponse.Header("Content-Type", "text/plain; version=0.0.4; charset=utf-8"),
                    HTTPResponse.Header("Cache-Control", "no-store"),
                ], body: Array(text.utf8)))
    }
}
