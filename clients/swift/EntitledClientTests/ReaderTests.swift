import Entitlements
import Foundation
import Testing

@testable import EntitledClient

/// A process that only reads: it makes no files, and finds what a writer makes later.
@Suite struct ReaderTests {
    let world: World

    init() throws { world = try World() }

    @Test func itMakesNoFiles() async throws {
        var configuration = try world.configuration()
        configuration.role = .readOnly
        configuration.installation = nil
        let reader = try EntitledClient(configuration: configuration)
        await reader.start()
        #expect(await reader.isEntitled(to: "pro") == .unknown)
        await reader.stop()
        #expect(!FileManager.default.fileExists(atPath: world.directory.path))
    }

    /// The installation's id is made, and later made anew, by the writer: what is signed for it is believed all the same.
    @Test func itFindsAnInstallationThatIsMadeLater() async throws {
        var configuration = try world.configuration()
        configuration.role = .readOnly
        configuration.installation = nil
        let reader = try EntitledClient(configuration: configuration)
        await reader.start()
        var updates = reader.updates.makeAsyncIterator()
        _ = try await updates.take()

        for version in 1...2 {
            let made = UUID()
            try write(Array(made.uuidString.lowercased().utf8), world.sharedFile("installation"))
            // Another balance, or nobody would see a difference.
            var signed = SignedText(version: version, coins: version)
            signed.installation = made.uuidString.lowercased()
            try write(Array(world.sign(signed).utf8), world.file("snapshot.jws"))
            // Once a second it looks by itself.
            _ = await world.clock.waitForSleep { $0 == 1_000 }
            world.clock.advance(by: 1_000)
            while try await updates.take().payloadValue.snapshot?.version != Int64(version) {}
        }
        #expect(await reader.isEntitled(to: "pro").access == .active)
        await reader.stop()
    }
}
