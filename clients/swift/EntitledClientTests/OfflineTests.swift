import Entitlements
import Testing

@testable import EntitledClient

/// What the client says without the service: the offline contract of clients/PROTOCOL.md.
@Suite struct OfflineTests {
    let world: World

    init() throws { world = try World() }

    @Test func theFirstStartOfflineIsUnknown() async throws {
        let client = try world.client()
        #expect(await client.isEntitled(to: "pro") == .unknown)
        #expect(await client.balance(of: "coins") == Balance(amount: nil, flags: []))
        var updates = client.updates.makeAsyncIterator()
        let first = try await updates.take().payloadValue
        #expect(first.snapshot == nil)
        for await _ in client.currentEntitlements { Issue.record("nothing is known") }
    }

    /// Fetches, ends the process, and gives a new one that never reaches the service.
    func restarted(_ signed: SignedText) async throws -> EntitledClient {
        do {
            let client = try await world.liveClient(signed)
            var updates = client.updates.makeAsyncIterator()
            while try await updates.take().payloadValue.snapshot == nil {}
            await client.stop()
        }
        // The lock goes with the last reference to the client; its ended tasks may hold one a moment longer.
        while try FileLock(StorageLayout(world.directory).lock) == nil { await Task.yield() }
        var configuration = try world.configuration()
        configuration.role = .readOnly
        return try EntitledClient(configuration: configuration)
    }

    @Test func aRestartOfflineAnswersFromTheFileAtOnceAndOnce() async throws {
        let client = try await restarted(SignedText())
        #expect(await client.isEntitled(to: "pro") == EntitlementAnswer(.active))
        #expect(await client.isEntitled(to: "other") == EntitlementAnswer(.inactive))
        #expect(await client.balance(of: "coins") == Balance(amount: 120, flags: []))
        #expect(await client.balance(of: "gems") == Balance(amount: 0, flags: []))
        var updates = client.updates.makeAsyncIterator()
        #expect(try await updates.take().payloadValue.answer(for: "pro").access == .active)
        var current: [String] = []
        for await entitlement in client.currentEntitlements { current.append(try entitlement.payloadValue.id) }
        #expect(current == ["pro"])
    }

    @Test func theLimitIsReachedAtTheInstant() async throws {
        let client = try await restarted(SignedText())
        world.clock.advance(by: 3 * Time.day - 1)
        #expect(await client.isEntitled(to: "pro") == EntitlementAnswer(.active))
        world.clock.advance(by: 1)
        #expect(await client.isEntitled(to: "pro") == EntitlementAnswer(.active, flags: [.stale]))
        #expect(await client.isEntitled(to: "other") == EntitlementAnswer(.inactive, flags: [.stale]))
        world.clock.advance(by: 27 * Time.day)
        #expect(await client.isEntitled(to: "pro") == EntitlementAnswer(.inactive, flags: [.stale]))
    }

    @Test func anExpectedRenewalLastsUntilTheLimit() async throws {
        let client = try await restarted(SignedText(end: World.now + Time.day, willRenew: true))
        world.clock.advance(by: Time.day)
        #expect(await client.isEntitled(to: "pro") == EntitlementAnswer(.active, flags: [.assumedRenewal]))
        world.clock.advance(by: 2 * Time.day)
        #expect(await client.isEntitled(to: "pro").access == .inactive)
    }

    @Test func aWallClockSetBackHelpsNobodyAndIsReported() async throws {
        let client = try await restarted(SignedText(end: World.now + Time.day))
        world.clock.advance(by: 2 * Time.day)
        world.clock.setWall(World.now - Time.day)
        #expect(
            await client.isEntitled(to: "pro") == EntitlementAnswer(.inactive, flags: [.clockRolledBack]))
    }

    @Test func anEndPassesByTheTimerWithoutNetwork() async throws {
        let client = try await world.liveClient(SignedText(end: World.now + 40_000))
        var updates = client.updates.makeAsyncIterator()
        while try await updates.take().payloadValue.answer(for: "pro").access != .active {}
        _ = await world.clock.waitForSleep { $0 == 40_000 }
        world.clock.advance(by: 40_000)
        #expect(try await updates.take().payloadValue.answer(for: "pro").access == .inactive)
        await client.stop()
    }

    @Test func aDamagedFileIsReportedAndFetchedAnew() async throws {
        _ = try await restarted(SignedText())
        let path = try world.file("snapshot.jws")
        var bytes = try read(path)
        bytes[bytes.count / 2] ^= 1
        try write(bytes, path)
        var configuration = try world.configuration()
        let second = try World()
        configuration.transport = second.transport
        let client = try EntitledClient(configuration: configuration)
        #expect(await client.isEntitled(to: "pro") == .unknown)
        var diagnostics = client.diagnostics.makeAsyncIterator()
        #expect(try await diagnostics.take().subject == .cacheRefused)
        await client.start()
        let poll = await second.transport.nextPoll()
        #expect(!poll.request.url.contains("cursor="))
        poll.answer(try world.answer(SignedText()))
        var updates = client.updates.makeAsyncIterator()
        while try await updates.take().payloadValue.snapshot == nil {}
        #expect(await client.isEntitled(to: "pro").access == .active)
        await client.stop()
    }

    @Test func aSecondProcessReadsWithoutNetworkAndTakesOverWhenTheFirstEnds() async throws {
        var writer: EntitledClient? = try await world.liveClient()
        var updates = try #require(writer).updates.makeAsyncIterator()
        while try await updates.take().payloadValue.snapshot == nil {}
        let readerTransport = ScriptedTransport()
        var configuration = try world.configuration()
        configuration.transport = readerTransport
        let reader = try EntitledClient(configuration: configuration)
        await reader.start()
        #expect(await reader.isEntitled(to: "pro").access == .active)
        await #expect(throws: ClientError.self) { try await reader.push(signedTransactions: ["a.b.c"]) }

        let poll = await world.transport.nextPoll()
        poll.answer(try world.answer(SignedText(version: 2, end: nil, cursor: "c2")))
        while try await updates.take().payloadValue.answer(for: "pro").access == .active {}
        #expect(await reader.isEntitled(to: "pro").access == .inactive)
        #expect(readerTransport.untaken == 0)

        await writer?.stop()
        writer = nil
        // The lock goes with the last reference to the writer; its ended tasks may hold one a moment longer.
        let takenOver = Task { await readerTransport.nextPoll() }
        while readerTransport.untaken == 0, await reader.lastStatus == .reading {
            world.clock.advance(by: 1_000)
            await Task.yield()
        }
        #expect(await takenOver.value.request.url.contains("cursor=c2"))
        await reader.stop()
    }
}
