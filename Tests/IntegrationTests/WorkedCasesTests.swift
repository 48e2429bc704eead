import CaseFiles
import Entitlements
import Foundation
import Service
import TestSupport
import Testing

/// Every worked case against a real service: signed data, HTTP, PostgreSQL.
@Suite struct WorkedCasesTests {
    static let files = ((try? SharedFiles.names(in: "cases")) ?? []).filter {
        $0.hasSuffix(".json") && !CaseFileLoader.isDefaults($0) && !$0.hasPrefix("client-")
    }

    @Test func theCasesAreThere() { #expect(Self.files.count >= 70) }

    @Test(arguments: files) func theServiceAnswersAsTheCaseSays(file: String) async throws {
        var loader = try CaseFileLoader()
        let path = SharedFiles.directory.appending(path: "cases/\(file)").path
        guard case .server(let serverCase) = try loader.load(path) else { return }
        let clock = ManualClock(serverCase.steps.first?.at ?? 0)
        try await withService(catalog: serverCase.catalog, clock: clock) { fixture in
            for account in serverCase.known {
                _ = try await fixture.client.send(
                    "PUT", "\(fixture.base)/accounts/\(account)", token: try fixture.token(.backend))
            }
            var target = HTTPCaseTarget(fixture: fixture, clock: clock)
            let report = try await serverCase.run(on: &target)
            #expect(report.isOK, "\(report.lines.joined(separator: "\n"))")
        }
    }
}
