import CaseFiles
import Entitlements
import Foundation
import TestSupport
import Testing

@testable import EntitledClient

/// The client cases, lived through by the whole client: signed answers, files, restarts and timers, not only the rules.
@Suite struct WholeClientCaseTests {
    /// The project's own, beside those of the reference data.
    static let own = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../cases")
        .standardizedFileURL

    static func paths() throws -> [String] {
        let shared = try SharedFiles.names(in: "cases").map { SharedFiles.directory.appending(path: "cases/\($0)") }
        let names = try FileManager.default.contentsOfDirectory(atPath: own.path)
        return (shared + names.map { own.appending(path: $0) }).filter { $0.lastPathComponent.hasPrefix("client-") }
            .map(\.path).sorted()
    }

    @Test func theWholeClientLivesThroughEveryClientCase() async throws {
        let paths = try Self.paths()
        #expect(paths.count >= 14, "the cases were not found")
        for path in paths {
            var loader = try CaseFileLoader()
            guard case .client(let clientCase) = try loader.load(path) else {
                Issue.record("\(path) is no client case")
                continue
            }
            #expect(clientCase.run().differences == [], "by the rules alone")
            try await live(clientCase)
        }
    }

    private func live(_ clientCase: ClientCase) async throws {
        var device = try PlayedDevice()
        for (step, tick) in clientCase.ticks.enumerated() {
            let clock = device.world.clock
            let passTime = { clock.set(wall: tick.wall, monotonic: tick.monotonic) }
            switch tick.event {
            case .start: try await device.restart(passTime)
            case .reboot:
                try await device.restart {
                    clock.reboot()
                    passTime()
                }
            case .fetch:
                passTime()
                try await device.fetch(Self.signed(#require(tick.fetched), clientCase.policies))
            case .fetchFailed:
                passTime()
                await device.failToFetch()
            case .switchAccount:
                passTime()
                try await device.switchAccount()
            // The client has no call for these that could change an answer: nothing was bought.
            case .emptyRead, .purchaseCancelled, .ask, .timer: passTime()
            }
            for expectation in clientCase.expectations where expectation.step == step {
                let answer = await device.answer
                #expect(answer.access == expectation.access, "\(clientCase.id) step \(step)")
                if let flags = expectation.flags { #expect(answer.flags == flags, "\(clientCase.id) step \(step)") }
            }
        }
        await device.client.stop()
    }

    private static func signed(_ fetched: ClientCase.Fetched, _ policies: Policies) -> SignedText {
        var signed = SignedText(serverTime: fetched.serverTime)
        signed.intervals = fetched.entitlement.intervals
        signed.willRenew = fetched.entitlement.willRenew
        signed.endIsFinal = fetched.entitlement.endIsFinal
        signed.grace = policies.offlineGrace
        signed.staleAccess = policies.staleAccess.rawValue
        return signed
    }
}
