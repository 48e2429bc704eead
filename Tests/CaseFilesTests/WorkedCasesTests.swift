import CaseFiles
import Entitlements
import Foundation
import Testing

/// The worked cases beside the project, where they are at hand.
enum WorkedCases {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../shared/cases").standardizedFileURL

    static let files: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".json") && !CaseFileLoader.isDefaults($0) }.sorted()
    }()

    static func path(_ name: String) -> String { folder.appending(path: name).path }
}

@Test("A worked case comes out as it says", arguments: WorkedCases.files)
func workedCase(name: String) async throws {
    var loader = try CaseFileLoader()
    switch try loader.load(WorkedCases.path(name)) {
    case .client(let clientCase): #expect(clientCase.run().differences == [])
    case .server(let serverCase):
        var target = WorldTarget(serverCase)
        #expect(try await serverCase.run(on: &target).differences == [])
    }
}

@Test("The built-in defaults are those beside the worked cases", .enabled(if: !WorkedCases.files.isEmpty))
func builtInDefaults() throws {
    let builtIn = try CaseDefaults.builtIn()
    let bytes = Array(try Data(contentsOf: URL(filePath: WorkedCases.path("defaults.json"))))
    let beside = try CaseDefaults(JSONDocument(parsing: bytes, file: "defaults.json"))
    #expect(builtIn.catalog == beside.catalog)
    #expect(builtIn.accounts == beside.accounts)
    #expect(builtIn.known == beside.known)
}
