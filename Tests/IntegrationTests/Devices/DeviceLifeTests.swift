import AppStoreSimulator
import EntitledClient
import Entitlements
import Foundation
import Testing

/// The client library beside a service that is a process of its own: online, told of a change, the service killed, past the
/// limit, started again offline, the service back, the cache damaged.
@Suite(.serialized) struct DeviceLifeTests {
    private static let account = Purchases.account(1)
    private static let hour: Milliseconds = 3_600_000

    /// What one test works with.
    private struct Scene {
        let dev: DevProcess
        let proxy: FaultyProxy
        let device: Device
        /// When everything was bought.
        let start: Milliseconds

        init(pushWait: Milliseconds = 600_000) async throws {
            dev = try DevProcess()
            try dev.start()
            proxy = try FaultyProxy(to: dev.port)
            device = try await Device(
                of: DeviceLifeTests.account, port: proxy.port,
                token: try await dev.deviceToken(DeviceLifeTests.account), keysAt: dev.client,
                pushWait: pushWait)
            start = device.clock.wall
        }

        /// Something for ever, and a month that has one more hour.
        func buy(_ running: RunningClient) async throws {
            let account = DeviceLifeTests.account
            let payloads = [
                Purchases.export("7001", account: account, at: start),
                Purchases.month("7002", account: account, at: start, until: start + DeviceLifeTests.hour),
            ]
            let results = try await running.client.push(signedTransactions: payloads.map { try authority.sign($0) })
            #expect(results.map(\.outcome) == [.recorded, .recorded], "\(results)")
            #expect(results.map(\.finish) == [true, true])
        }

        func killService() {
            dev.killService()
            proxy.lead(to: nil)
        }

        func restartService() throws {
            try dev.start()
            proxy.lead(to: dev.port)
        }

        func end() {
            proxy.end()
            device.remove()
            dev.end()
        }
    }

    @Test func aNotificationArrivesWithoutAFurtherRequest() async throws {
        let scene = try await Scene()
        defer { scene.end() }
        let running = try await scene.device.launch()
        try await scene.buy(running)
        #expect(await running.client.isEntitled(to: "pro") == EntitlementAnswer(.active))
        try await eventually("the poll is held") { running.status == .live }

        let renewed = Purchases.month(
            "7003", of: "7002", account: Self.account, at: scene.start + Self.hour, until: scene.start + 2 * Self.hour)
        let told = try await scene.dev.notify(
            signedNotification(Purchases.notification("DID_RENEW", about: renewed, at: scene.start)))
        #expect(told.json["outcome"] == "recorded", "\(told.json)")
        try await eventually("the renewal arrives") {
            running.views.last?.snapshot?["pro"]?.activeIntervals.last?.end == scene.start + 2 * Self.hour
        }

        var refunded = Purchases.export("7001", account: Self.account, at: scene.start)
        refunded["revocationDate"] = .integer(scene.start)
        refunded["revocationReason"] = 0
        refunded["signedDate"] = .integer(scene.start + 1)
        let refund = try await scene.dev.notify(
            signedNotification(Purchases.notification("REFUND", about: refunded, at: scene.start + 1)))
        #expect(refund.json["outcome"] == "recorded", "\(refund.json)")
        try await eventually("the refund arrives") { running.answers(about: "export").last?.access == .inactive }
        await running.client.stop()
    }

    @Test func answersOutliveTheServiceAndTheAppItself() async throws {
        let scene = try await Scene()
        defer { scene.end() }
        do {
            let running = try await scene.device.launch()
            try await scene.buy(running)
            scene.killService()
            try await eventually("the loss is noticed") { running.status == .offline }
            #expect(await running.client.isEntitled(to: "export") == EntitlementAnswer(.active))
            #expect(await running.client.isEntitled(to: "pro") == EntitlementAnswer(.active))

            scene.device.clock.advance(by: 2 * Self.hour)
            try await eventually("the end passes") { running.answers(about: "pro").last?.access == .inactive }
            #expect(await running.client.isEntitled(to: "pro") == EntitlementAnswer(.inactive))
            #expect(await running.client.isEntitled(to: "export") == EntitlementAnswer(.active))
            await running.client.stop()
        }
        do {
            let restarted = try await scene.device.launch()
            try await eventually("nobody is reached") { restarted.status == .offline }
            #expect(restarted.answers(about: "export") == [EntitlementAnswer(.active)], "the kept answer, once")
            #expect(restarted.answers(about: "pro") == [EntitlementAnswer(.inactive)])

            scene.device.clock.advance(by: 3 * Time.day)
            try await eventually("the limit is shown") { restarted.answers(about: "export").last?.flags == [.stale] }
            #expect(await restarted.client.isEntitled(to: "export") == EntitlementAnswer(.active, flags: [.stale]))
            #expect(await restarted.client.isEntitled(to: "pro") == EntitlementAnswer(.inactive, flags: [.stale]))
            await restarted.client.stop()
        }
        let again = try await scene.device.launch()
        try await eventually("nobody is reached") { again.status == .offline }
        #expect(again.answers(about: "export") == [EntitlementAnswer(.active, flags: [.stale])])

        try scene.restartService()
        try await eventually("it is live again by itself") { again.status == .live }
        // The service's clock counts, not the device's.
        #expect(await again.client.isEntitled(to: "export") == EntitlementAnswer(.active))
        #expect(await again.client.isEntitled(to: "pro") == EntitlementAnswer(.active))
        await again.client.stop()
    }

    @Test func aDamagedCacheIsUnknownAndFetchedAnew() async throws {
        let scene = try await Scene()
        defer { scene.end() }
        do {
            let running = try await scene.device.launch()
            try await scene.buy(running)
            await running.client.stop()
        }
        try scene.device.damageSnapshot()
        scene.proxy.lead(to: nil)
        let running = try await scene.device.launch()
        try await eventually("nobody is reached") { running.status == .offline }
        #expect(running.answers(about: "export") == [.unknown])
        #expect(running.subjects.contains(.cacheRefused))

        scene.proxy.lead(to: scene.dev.port)
        try await eventually("it is fetched anew") { running.answers(about: "export").last?.access == .active }
        #expect(!running.answers(about: "export").contains { $0.access == .inactive }, "no data is never no")
        await running.client.stop()
    }

    @Test func whatIsPushedWhileTheServiceIsDeadArrivesOnceAfterARestartOfTheApp() async throws {
        let scene = try await Scene(pushWait: 10_000)
        defer { scene.end() }
        do {
            let running = try await scene.device.launch()
            try await eventually("the poll is held") { running.status == .live }
            scene.killService()
            let coins = try authority.sign(Purchases.coins("7100", account: Self.account, at: scene.start))
            let results = try await running.client.push(signedTransactions: [coins, coins])
            #expect(results.map(\.outcome) == [.queued, .queued] && !results.contains(where: \.finish), "\(results)")
            await running.client.stop()
        }
        let restarted = try await scene.device.launch()
        // The instance before gives the files free when the last of its work has ended.
        try await eventually("what was handed over is still there") { await restarted.unfinished.count == 1 }
        try scene.restartService()
        try await eventually("the coins arrive") { restarted.views.last?.snapshot?.balances["coins"] == 100 }
        try await eventually("nothing waits any more") { await restarted.unfinished.isEmpty }
        #expect(try await scene.dev.loggedTransactions(of: [Self.account]) == ["7100": 1])
        await restarted.client.stop()
    }
}
