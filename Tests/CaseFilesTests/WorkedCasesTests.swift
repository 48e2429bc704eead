import CaseFiles
import Entitlements
import Foundation
import TestSupport
import Testing

/// The worked cases beside the project.
enum WorkedCases {
    static let folder = SharedFiles.directory.appending(path: "cases")

    static let files = ((try? SharedFiles.names(in: "cases")) ?? []).filter {
        $0.hasSuffix(".json") && !CaseFileLoader.isDefaults($0)
    }

    static func path(_ name: String) -> String { folder.appending(path: name).path }
}

@Test("The worked cases are there: without them nothing below would be tested")
func theCasesAreThere() { #expect(WorkedCases.files.count >= 70) }

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

@Test("The built-in defaults are those beside the worked cases")
func builtInDefaults() throws {
    let builtIn = try CaseDefaults.builtIn()
    let text = try SharedFiles.text("cases/defaults.json")
    let beside = try CaseDefaults(JSONDocument(parsing: text, file: "defaults.json"))
    #expect(builtIn.catalog == beside.catalog)
    #expect(builtIn.accounts == beside.accounts)
    #expect(builtIn.known == beside.known)
}
