import AppStoreSimulator
import EntitledClient
import Entitlements
import Foundation
import Testing

/// Devices that push and watch through a network that loses, delays, cuts, repeats and invents answers. At the end every
/// client shows the service's answer, and each pushed transaction is there once.
@Suite struct FaultyNetworkTests {
    private static let accounts = (10..<13).map { Purchases.account($0) }
    private static let devicesPerAccount = 2
    private static let pushesPerSecond = 3

    /// How long the network is bad; `ENTITLED_FAULT_SECONDS` asks for longer.
    private static var seconds: Int {
        ProcessInfo.processInfo.environment["ENTITLED_FAULT_SECONDS"].flatMap { Int($0) } ?? 20
    }

    @Test func everyPushArrivesOnceAndEveryDeviceShowsTheAnswer() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("faulty network: seed \(seed)")
        let dev = try DevProcess()
        defer { dev.end() }
        try dev.start()
        let proxy = try FaultyProxy(to: dev.port, seed: seed)
        defer { proxy.end() }
        var devices: [(device: Device, running: RunningClient)] = []
        defer { devices.forEach { $0.device.remove() } }
        for account in Self.accounts {
            let token = try await dev.deviceToken(account)
            for _ in 0..<Self.devicesPerAccount {
                let device = try await Device(
                    of: account, port: proxy.port, token: token, keysAt: dev.client, pushWait: 30_000)
                devices.append((device, try await device.launch()))
            }
        }

        proxy.setFaulty(true)
        let end = ContinuousClock.now + .seconds(Self.seconds)
        let pushed = Notes<(account: AccountID, id: String)>()
        let results = Notes<PushResult>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, entry) in devices.enumerated() {
                group.addTask {
                    for purchase in 0..<Self.seconds * Self.pushesPerSecond where ContinuousClock.now < end {
                        let id = "\(7_500_000_000 + number * 1_000_000 + purchase)"
                        let payload = Purchases.coins(id, account: entry.device.account, at: entry.device.clock.wall)
                        pushed.add((entry.device.account, id))
                        for result in try await entry.running.client.push(
                            signedTransactions: [try authority.sign(payload)])
                        { results.add(result) }
                        // Spreads the pushes over the time in which the network is bad.
                        try await Task.sleep(for: .milliseconds(1000 / Self.pushesPerSecond))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(proxy.met == Set(FaultyProxy.Fault.allCases), "every kind of fault has happened")
        proxy.setFaulty(false)

        try await check(dev, devices, pushed: pushed.all)
        let outcomes = Set(results.all.map(\.outcome))
        #expect(outcomes.isSubset(of: [.recorded, .duplicate, .queued]), "\(outcomes)")
        #expect(results.all.allSatisfy { $0.finish == ($0.outcome != .queued) })
        for entry in devices { await entry.running.client.stop() }
    }

    private func check(
        _ dev: DevProcess, _ devices: [(device: Device, running: RunningClient)],
        pushed: [(account: AccountID, id: String)]
    ) async throws {
        for entry in devices {
            try await eventually("every outbox empties") { await entry.running.unfinished.isEmpty }
        }
        for account in Self.accounts {
            let server = try await dev.snapshot(of: account)
            #expect(server.balances["coins"] == Int64(pushed.count { $0.account == account }) * 100)
            for entry in devices where entry.device.account == account {
                try await eventually("every device shows the service's answer") {
                    let shown = entry.running.views.last?.snapshot
                    return shown?.version == server.version && shown?.balances == server.balances
                }
                try await eventually("every device is live again") { entry.running.status == .live }
            }
        }
        let logged = try await dev.loggedTransactions(of: Self.accounts)
        #expect(logged == Dictionary(pushed.map { ($0.id, 1) }, uniquingKeysWith: +), "each is there once")
    }
}
