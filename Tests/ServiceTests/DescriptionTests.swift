import Entitlements
import Foundation
import TestSupport
import Testing

@testable import Service

/// docs/openapi.json, which the service serves as `/openapi.json`.
@Suite struct DescriptionTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let methods: Set = ["get", "put", "post", "delete", "patch", "head", "options", "trace"]

    private func description() throws -> JSONObject {
        let page = try #require(Page.all["openapi.json"])
        return try #require(try JSONValue(parsing: page.body, limits: .file).objectValue)
    }

    /// `GET /path` of everything that is described, with its operation.
    private func operations() throws -> [String: JSONObject] {
        let paths = try #require(try description()["paths"]?.objectValue)
        var operations: [String: JSONObject] = [:]
        for path in paths.members {
            for item in path.value.objectValue?.members ?? [] where Self.methods.contains(item.name) {
                operations["\(item.name.uppercased()) \(path.name)"] = item.value.objectValue
            }
        }
        return operations
    }

    @Test func everyRouteIsDescribedAndNoOther() async throws {
        let described = Set(try operations().keys)
        try await withRunningService { service in
            let served = Set(service.instance.routes.map { "\($0.method) \($0.template)" })
            #expect(served == described)
        }
    }

    @Test func scopesAreThoseOfTheRoutes() async throws {
        let operations = try operations()
        try await withRunningService { service in
            for route in service.instance.routes {
                let security = operations["\(route.method) \(route.template)"]?["security"]?.arrayValue ?? []
                let scopes = security.flatMap { $0.objectValue?["token"]?.arrayValue ?? [] }.compactMap(\.stringValue)
                #expect(Set(scopes) == Set(route.scopes), "\(route.method) \(route.template)")
            }
        }
    }

    @Test func everyProblemCodeIsDescribed() throws {
        let components = try #require(try description()["components"]?.objectValue)
        let problem = components["schemas"]?.objectValue?["Problem"]?.objectValue?["properties"]?.objectValue
        let codes = problem?["code"]?.objectValue?["enum"]?.arrayValue?.compactMap(\.stringValue) ?? []
        #expect(Set(codes) == Set(ProblemCode.allCases.map(\.rawValue)))
        // Each also stands at an answer, with an example.
        let text = JSONValue.object(try description()).text
        for code in ProblemCode.allCases {
            #expect(text.contains(#""\#(code.rawValue)":{"value":"#), "\(code.rawValue) has no example")
        }
    }

    @Test func theEmbeddedCopiesAreTheFiles() throws {
        let console = Self.root.appending(path: "console")
        var files = ["openapi.json": try Data(contentsOf: Self.root.appending(path: "docs/openapi.json"))]
        for name in (try? FileManager.default.contentsOfDirectory(atPath: console.path)) ?? [] {
            files[name] = try Data(contentsOf: console.appending(path: name))
        }
        #expect(Set(Page.all.keys) == Set(files.keys))
        for (name, data) in files {
            #expect(Page.all[name].map { Data($0.body) } == data, "\(name): run scripts/embed-pages")
        }
    }

    @Test func aPageThatIsKnownIsNotSentAgain() async throws {
        try await withRunningService { service in
            let anybody = ServiceClient(service: service)
            let first = try await anybody.send("GET", "/openapi.json")
            #expect(first.status == 200 && first.header("Content-Type") == "application/json")
            let tag = try #require(first.header("ETag"))
            let again = try await anybody.send("GET", "/openapi.json", headers: ["If-None-Match": tag])
            #expect(again.status == 304 && again.body.isEmpty)
        }
    }
}
