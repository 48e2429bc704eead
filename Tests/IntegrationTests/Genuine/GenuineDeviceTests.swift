import EntitledClient
import Entitlements
import Foundation
import Service
import Testing

/// Transactions that Apple signed, handed over by the client library.
@Suite(.serialized) struct GenuineDeviceTests {
    /// Within the last period, and after its end.
    private static let within: Milliseconds = 1_760_591_900_000
    private static let after: Milliseconds = 1_760_592_400_000

    @Test func thePeriodIsHadWhileItRunsAndEndsByItself() async throws {
        let clock = ManualClock(Self.within)
        try await withService(catalog: GenuineSession.catalog, clock: clock) { fixture in
            let device = try await Device(
                of: GenuineSession.account, app: fixture.bundleId, port: fixture.service.port,
                token: try fixture.deviceToken(GenuineSession.account), keysAt: fixture.client)
            defer { device.remove() }
            let running = try await device.launch()
            let results = try await running.client.push(
                signedTransactions: [try GenuineSession.transaction("12-SUBSCRIBED-RESUBSCRIBE")])
            #expect(results.map(\.outcome) == [.recorded] && results.allSatisfy(\.finish), "\(results)")
            #expect(await running.client.isEntitled(to: "pro") == EntitlementAnswer(.active))
            let entry = try #require(await running.client.view.snapshot?["pro"])
            #expect(entry.activeIntervals == [Interval(1_760_591_774_000, 1_760_592_314_000)])

            // The device's time goes on; the service stays where it is, so it is the client that notices.
            device.clock.advance(by: Self.after - Self.within)
            try await eventually("the end is shown") { running.answers(about: "pro").last?.access == .inactive }
            #expect(running.answers(about: "pro").last == EntitlementAnswer(.inactive))
            await running.client.stop()
        }
    }

    @Test func aRunningServiceTakesThemAndTellsOfEachNotification() async throws {
        let dev = try DevProcess()
        defer { dev.end() }
        try dev.start()
        let app = GenuineSession.catalog.bundleId
        try await dev.apply(GenuineSession.catalog)
        let device = try await Device(
            of: GenuineSession.account, app: app, port: dev.port,
            token: try await dev.deviceToken(GenuineSession.account, app: app), keysAt: dev.client)
        defer { device.remove() }
        let running = try await device.launch()
        #expect(running.views.allSatisfy { $0.snapshot == nil }, "nothing is known at first")

        let pushed = try GenuineSession.transaction()
        let first = try await running.client.push(signedTransactions: [pushed])
        #expect(first.map(\.outcome) == [.recorded] && first.allSatisfy(\.finish), "\(first)")
        let second = try await running.client.push(signedTransactions: [pushed])
        #expect(second.map(\.outcome) == [.duplicate] && second.allSatisfy(\.finish), "\(second)")
        #expect(await running.unfinished.isEmpty)
        // Apple's dates of 2025 are over: it was had, and is no more.
        #expect(await running.client.isEntitled(to: "pro") == EntitlementAnswer(.inactive))
        #expect(await running.client.view.snapshot?["pro"]?.state == .expired)

        try await eventually("the poll is held") { running.status == .live }
        for payload in try GenuineSession.notifications() {
            #expect(try await dev.notify(payload, app: app).status == 200)
        }
        let last = try await dev.snapshot(of: GenuineSession.account, app: app)
        #expect(last.entitlements == (try GenuineSession.expected(at: last.asOf).entitlements))
        #expect(last["pro"]?.transactionId != first[0].transactionId, "later periods have come")
        try await eventually("all arrives by itself") { running.views.last?.snapshot?["pro"] == last["pro"] }
        await running.client.stop()
    }
}
