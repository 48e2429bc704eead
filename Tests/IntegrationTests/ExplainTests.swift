import CaseFiles
import Entitlements
import Foundation
import Service
import TestSupport
import Testing

/// Explanations and histories over HTTP against those of the same case replayed in memory.
@Suite struct ExplainTests {
    static let cases = ["C04", "C20", "C26", "C27", "C47", "C49", "C57", "C66", "C76", "N02", "N06", "N19", "N32"]

    static func load(_ name: String) throws -> ServerCase {
        let file = try #require(WorkedCasesTests.files.first { $0.hasPrefix(name + "-") }, "no worked case \(name)")
        var loader = try CaseFileLoader()
        let path = SharedFiles.directory.appending(path: "cases/\(file)").path
        guard case .server(let serverCase) = try loader.load(path) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return serverCase
    }

    /// Runs a case through the service and in memory.
    static func replayed(
        _ name: String, _ body: (ServiceFixture, ServerCase, World) async throws -> Void
    ) async throws {
        let serverCase = try load(name)
        let clock = ManualClock(serverCase.steps.first?.at ?? 0)
        try await withService(catalog: serverCase.catalog, clock: clock) { fixture in
            for account in serverCase.known {
                _ = try await fixture.client.send(
                    "PUT", "\(fixture.base)/accounts/\(account)", token: try fixture.token(.backend))
            }
            var target = HTTPCaseTarget(fixture: fixture, clock: clock)
            var world = WorldTarget(serverCase)
            for step in serverCase.steps {
                _ = try await target.apply(step)
                _ = world.apply(step)
            }
            try await body(fixture, serverCase, world.world)
        }
    }

    @Test(arguments: cases) func theServiceExplainsAsTheRulesDo(name: String) async throws {
        try await Self.replayed(name) { fixture, serverCase, world in
            let last = serverCase.steps.map(\.at).max() ?? 0
            let middle = serverCase.steps[serverCase.steps.count / 2].at
            var compared = 0
            for account in Set(serverCase.accounts.values) {
                for (at, knownAt) in [(last, nil), (last + 40 * Time.day, nil), (last, middle)] {
                    let known = knownAt.map { "&knownAt=\($0)" } ?? ""
                    let answer = try await fixture.client.send(
                        "GET", "\(fixture.base)/accounts/\(account)/explain?at=\(at)\(known)",
                        token: try fixture.token(.support))
                    var writer = JSONWriter()
                    world.explanation(account: account, environment: .production, at: at, knownAt: knownAt)
                        .write(to: &writer)
                    #expect(answer.status == 200)
                    #expect(
                        String(decoding: answer.body, as: UTF8.self) == String(decoding: writer.bytes, as: UTF8.self))
                    compared += 1
                }
            }
            #expect(compared >= 3)
        }
    }

    /// Not of N32: an erasure empties the log, which the memory does not.
    @Test(arguments: cases.filter { $0 != "N32" }) func theServiceTellsTheHistoryInOrder(name: String) async throws {
        try await Self.replayed(name) { fixture, serverCase, world in
            for account in Set(serverCase.accounts.values) {
                let all = try await Self.pages(fixture, account, limit: 2)
                var writer = JSONWriter()
                world.history(account: account, environment: .production).write(to: &writer, for: .support)
                #expect(JSONValue.array(all).text == String(decoding: writer.bytes, as: UTF8.self))
                let versions = all.compactMap { $0.objectValue?["version"]?.integerValue }
                #expect(versions == all.indices.map { Int64($0) + 1 })
            }
        }
    }

    /// Reads a history page by page.
    private static func pages(_ fixture: ServiceFixture, _ account: AccountID, limit: Int) async throws -> [JSONValue] {
        var all: [JSONValue] = []
        var after: Int64? = 0
        while let position = after {
            let answer = try await fixture.client.send(
                "GET", "\(fixture.base)/accounts/\(account)/history?after=\(position)&limit=\(limit)",
                token: try fixture.token(.support))
            let page = try #require(answer.json["history"]?.arrayValue, "\(answer.json)")
            #expect(page.count <= limit)
            all += page
            after = answer.json["next"]?.integerValue
        }
        return all
    }

    @Test func anErasureLeavesItsNumber() async throws {
        try await Self.replayed("N32") { fixture, serverCase, _ in
            let clock = try #require(fixture.clock as? ManualClock)
            clock.set(clock.now() + 1000)
            let account = try #require(serverCase.accounts.values.sorted().first)
            let path = "\(fixture.base)/accounts/\(account)"
            _ = try await fixture.client.send("POST", "\(path)/erase", token: try fixture.token(.admin))
            let entries = try await Self.pages(fixture, account, limit: 100).compactMap(\.objectValue)
            let snapshot = try await fixture.client.send(
                "GET", "\(path)/entitlements", token: try fixture.token(.support))
            let version = snapshot.json["snapshot"]?.objectValue?["version"]
            #expect(entries.contains { $0["type"] == "erased" })
            #expect(entries.last?["version"] == version)
            let explained = try await fixture.client.send(
                "GET", "\(path)/explain", token: try fixture.token(.support))
            #expect(explained.json["erasedAt"]?.integerValue != nil)
        }
    }
}
