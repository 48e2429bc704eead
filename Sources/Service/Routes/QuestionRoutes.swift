import Entitlements
import EventLoop
import Sync

/// `GET …/explain`, `…/history` and `…/export`: what operators ask about an account.
struct QuestionRoutes {
    let backend: Backend

    /// Events of a history or an export at once. With their certificates back they are some kilobytes each.
    private static let pages: ClosedRange<Int64> = 1...1000

    var routes: [Route] {
        [
            Route(
                "GET", "/v1/apps/{bundleId}/accounts/{account}/explain", .operators,
                .asynchronous { call in .answer(try await explain(call)) }),
            Route(
                "GET", "/v1/apps/{bundleId}/accounts/{account}/history", .operators,
                .asynchronous { call in .answer(try await history(call)) }),
            Route(
                "GET", "/v1/apps/{bundleId}/accounts/{account}/export", .operators,
                .asynchronous { call in .answer(try await export(call)) }),
        ]
    }

    private func explain(_ call: Call) async throws -> Answer {
        let app = try backend.app(call)
        let environment = try call.environment(of: app.terms.environments)
        let at = try call.instant("at") ?? call.now
        let only = try call.query("entitlement")
        let explanation = try await backend.engine.explanation(
            of: try call.account(), environment: environment, app: app, at: at, knownAt: try call.instant("knownAt"))
        var writer = JSONWriter(capacity: 4096)
        explanation.write(to: &writer, only: only)
        return .json(writer.bytes)
    }

    private func history(_ call: Call) async throws -> Answer {
        let app = try backend.app(call)
        let environment = try call.environment(of: app.terms.environments)
        let after = try call.integer("after", in: 0...Int64.max) ?? 0
        let limit = Int(try call.integer("limit", in: Self.pages) ?? 100)
        let history = try await backend.engine.history(of: try call.account(), environment: environment, app: app)
        let rest = history.entries.filter { $0.version > after }
        var writer = JSONWriter(capacity: 4096)
        writer.object { writer in
            writer.name("history")
            writer.array { writer in
                for entry in rest.prefix(limit) { entry.write(to: &writer, for: .support) }
            }
            writer.member("next", rest.count > limit ? rest[limit - 1].version : nil)
        }
        return .json(writer.bytes)
    }

    private func export(_ call: Call) async throws -> Answer {
        let app = try backend.app(call)
        // Without the parameter: all that there is.
        let environment =
            try call.query("environment") == nil ? nil : try call.environment(of: app.terms.environments)
        let export = try await backend.engine.export(
            try call.account(), environment: environment, app: app,
            after: try call.integer("after", in: 0...Int64.max) ?? 0,
            limit: Int(try call.integer("limit", in: Self.pages) ?? Self.pages.upperBound))
        var writer = JSONWriter(capacity: 1 << 16)
        export.write(to: &writer)
        return .json(writer.bytes)
    }
}
