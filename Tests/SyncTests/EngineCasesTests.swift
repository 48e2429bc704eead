import CaseFiles
import Entitlements
import Foundation
import Sync
import TestSupport
import Testing

/// Every worked case again, on the real log with signed data.
@Suite struct EngineCasesTests {
    static let files = ((try? SharedFiles.names(in: "cases")) ?? []).filter {
        $0.hasSuffix(".json") && !CaseFileLoader.isDefaults($0) && !$0.hasPrefix("client-")
    }

    @Test func casesAreThere() { #expect(Self.files.count >= 70) }

    @Test(arguments: files) func answersAsTheCaseSays(file: String) async throws {
        var loader = try CaseFileLoader()
        guard
            case .server(let serverCase) = try loader.load(SharedFiles.directory.appending(path: "cases/\(file)").path)
        else { return }
        try await withEngine(catalog: serverCase.catalog, clock: ManualClock(0)) { fixture, _ in
            for account in serverCase.known { try await fixture.engine.authenticated(account, app: fixture.app) }
            var target = EngineCaseTarget(fixture)
            let report = try await serverCase.run(on: &target)
            #expect(report.isOK, "\(report.lines.joined(separator: "\n"))")
        }
    }
}
