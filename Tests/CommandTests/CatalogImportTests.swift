import Entitlements
import Foundation
import TestSupport
import Testing

@testable import entitled

/// `entitled catalog import`, as far as it needs no database.
@Suite struct CatalogImportTests {
    private let configuration = SharedFiles.directory
        .appending(path: "vectors/storekit/revenuecat-two-levels.storekit").path

    private func run(_ words: String...) async throws -> entitled.ExitStatus {
        var arguments = Arguments(words)
        return try await CatalogCommand(&arguments).run()
    }

    @Test func aConfigurationBecomesACatalogFile() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "catalog-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        let status = try await run("import", configuration, "--app", "com.example.two", "--output", file.path)
        #expect(status == .done)
        let catalog = try CatalogFile.read(file.path)
        #expect(catalog.bundleId == "com.example.two")
        #expect(catalog.products["com.revenuecat.monthly_4.99.1_week_intro"]?.level == 2)
        // Somebody may have mended it meanwhile.
        await #expect(throws: CommandFailure.self) {
            try await run("import", configuration, "--app", "com.example.two", "--output", file.path)
        }
    }

    @Test func whatStaysIsThatOfTheCatalogInForce() throws {
        var current = Catalog(
            bundleId: "com.example.two", appAppleId: 7, products: ["old": Product(type: .nonConsumable)])
        current.policies.transfer = .never
        let work = CatalogImport(
            configuration: try CatalogFile.readStoreKit(configuration), output: nil, applies: true)
        let catalog = work.catalog(replacing: current)
        #expect(catalog.products["old"] == nil && catalog.products.count == 3)
        #expect(catalog.appAppleId == 7)
        #expect(catalog.policies.transfer == .never)
    }

    @Test func wrongUsage() async {
        await #expect(throws: Arguments.UsageError.self) { try await run("import", configuration) }
        await #expect(throws: Arguments.UsageError.self) {
            try await run("import", configuration, "--apply", "--output", "x", "--app", "a")
        }
        await #expect(throws: CommandFailure.self) { try await run("import", "/does/not/exist", "--app", "a") }
    }
}
