import Entitlements
import Synchronization
import Testing

@testable import EntitledClient

/// The long-poll over a service played by the test and clocks that stand still.
@Suite struct PollingTests {
    let world: World

    init() throws { world = try World() }

    /// Reads updates until one satisfies.
    func view(
        _ updates: inout AsyncStream<Verdict<AccountView>>.Iterator, until satisfies: (AccountView) -> Bool
    ) async throws -> AccountView {
        while true {
            if case .verified(let view) = try await updates.take(), satisfies(view) { return view }
        }
    }

    @Test func aChangeArrivesOnAHeldPoll() async throws {
        let client = try await world.liveClient(SignedText(end: nil))
        var updates = client.updates.makeAsyncIterator()
        _ = try await view(&updates) { $0.answer(for: "pro").access == .inactive }
        let first = await world.transport.nextPoll()
        let path = "/v1/apps/com.example.reader/accounts/\(World.account)/entitlements"
        #expect(first.request.url.hasSuffix("\(path)?cursor=c1&wait=1"), "short, to see that the path carries holds")
        first.answer(unchanged("c1"))
        let hold = await world.transport.nextPoll()
        #expect(hold.request.url.hasSuffix("\(path)?cursor=c1&wait=50"))
        #expect(hold.request.headers["Authorization"] == "Bearer token-1")
        #expect(hold.request.headers["Accept"] == "application/jose")
        #expect(hold.request.headers["Entitlement-Installation"] == World.installation)
        #expect(hold.request.timeout == 60_000)
        hold.answer(try world.answer(SignedText(version: 2, cursor: "c2")))
        _ = try await view(&updates) { $0.answer(for: "pro").access == .active }
        #expect(await world.transport.nextPoll().request.url.contains("cursor=c2"))
        await client.stop()
    }

    @Test func aTimeOutMovesTheCursorAndShowsNothing() async throws {
        let client = try await world.liveClient()
        await world.transport.nextPoll().answer(unchanged("c7"))
        let next = await world.transport.nextPoll()
        #expect(next.request.url.contains("cursor=c7"))
        await client.stop()
        #expect(!next.isOpen)
    }

    @Test func anOlderViewIsPassedOver() async throws {
        let client = try await world.liveClient(SignedText(version: 5))
        await world.transport.nextPoll().answer(try world.answer(SignedText(version: 4, end: nil, cursor: "old")))
        #expect(await world.transport.nextPoll().request.url.contains("cursor=c1"))
        #expect(await client.isEntitled(to: "pro").access == .active)
        await client.stop()
    }

    @Test func aNewEpochMayGoBack() async throws {
        let client = try await world.liveClient(SignedText(version: 5))
        await world.transport.nextPoll().answer(
            try world.answer(SignedText(version: 1, epoch: 2, end: nil, cursor: "e2")))
        #expect(await world.transport.nextPoll().request.url.contains("cursor=e2"))
        #expect(await client.isEntitled(to: "pro").access == .inactive)
        await client.stop()
    }

    @Test func whatNobodySignedChangesNothing() async throws {
        let client = try await world.liveClient()
        var updates = client.updates.makeAsyncIterator()
        let forger = try World()
        await world.transport.nextPoll().answer(try forger.answer(SignedText(version: 9, end: nil)))
        while case .verified = try await updates.take() {}
        #expect(await client.isEntitled(to: "pro").access == .active)
        await client.stop()
    }

    @Test(arguments: [
        TransportResponse(status: 200, headers: ["content-type": "text/html"], body: Array("<html>Sign in".utf8)),
        TransportResponse(status: 302, headers: ["location": "http://portal.example.com"]),
        TransportResponse(status: 204), TransportResponse(status: 511), TransportResponse(status: 401),
        TransportResponse(status: 403, headers: ["content-type": "text/html"]),
    ])
    func aCaptivePortalIsNoAnswer(_ response: TransportResponse) async throws {
        let client = try world.client()
        var statuses = client.connectionStatus.makeAsyncIterator()
        await client.start()
        await world.transport.nextPoll().answer(response)
        while try await statuses.take() != .offline {}
        #expect(await client.isEntitled(to: "pro") == .unknown)
        // Somebody signs in at the portal: the app says so, and nothing waits for the pause.
        await client.reconnect()
        await world.transport.nextPoll().answer(try world.answer(SignedText()))
        while try await statuses.take() != .live {}
        await client.stop()
    }

    @Test func aBusyServiceIsLeftAloneForAsLongAsItSays() async throws {
        let client = try await world.liveClient()
        await world.transport.nextPoll().answer(problem(503, headers: ["retry-after": "20"]))
        let wait = await world.clock.waitForSleep { $0 >= 20_000 && $0 < 21_000 }
        world.clock.advance(by: wait)
        #expect(await world.transport.nextPoll().request.url.contains("cursor=c1"))
        await client.stop()
    }

    @Test func anExpiredTokenIsAskedForOnce() async throws {
        let asked = Mutex(0)
        let client = try EntitledClient(
            configuration: world.configuration {
                asked.withLock { asked in
                    asked += 1
                    return "token-\(asked)"
                }
            })
        var statuses = client.connectionStatus.makeAsyncIterator()
        await client.start()
        await world.transport.nextPoll().answer(problem(401))
        let again = await world.transport.nextPoll()
        #expect(again.request.headers["Authorization"] == "Bearer token-2")
        again.answer(problem(401))
        while try await statuses.take() != .signedOut {}
        #expect(world.transport.untaken == 0)
        await client.reconnect()
        let third = await world.transport.nextPoll()
        #expect(third.request.headers["Authorization"] == "Bearer token-3")
        await client.stop()
    }

    @Test func nobodySignedInAsksForNothing() async throws {
        let client = try EntitledClient(configuration: world.configuration { nil })
        var statuses = client.connectionStatus.makeAsyncIterator()
        await client.start()
        while try await statuses.take() != .signedOut {}
        #expect(world.transport.untaken == 0)
        await client.stop()
    }

    @Test func switchingAccountsIsOneStep() async throws {
        let client = try await world.liveClient()
        var updates = client.updates.makeAsyncIterator()
        _ = try await view(&updates) { $0.snapshot != nil }
        let old = await world.transport.nextPoll()
        let other = try #require(AccountID(World.otherAccount))
        try await client.switchAccount(to: other) { "token-other" }
        #expect(await client.isEntitled(to: "pro") == .unknown)
        _ = try await view(&updates) { $0.account == other && $0.snapshot == nil }
        // What the former account's request brings is not listened to.
        old.answer(try world.answer(SignedText(version: 9)))
        let poll = await world.transport.nextPoll()
        #expect(poll.request.url.contains(World.otherAccount))
        #expect(poll.request.headers["Authorization"] == "Bearer token-other")
        poll.answer(try world.answer(SignedText(account: World.otherAccount, end: nil)))
        _ = try await view(&updates) { $0.answer(for: "pro").access == .inactive }

        // Back again: the file of the first account is still believed, and never shown as "no".
        try await client.switchAccount(to: #require(AccountID(World.account))) { "token-1" }
        #expect(await client.isEntitled(to: "pro").access == .active)
        await client.stop()
    }

    @Test func manyObserversHoldOnePoll() async throws {
        let client = try await world.liveClient()
        let streams = (0..<50).map { _ in client.updates }
        _ = await world.transport.nextPoll()
        for stream in streams {
            var iterator = stream.makeAsyncIterator()
            _ = try await iterator.take()
        }
        #expect(world.transport.untaken == 0)
        await client.stop()
    }

    @Test func aRestartGoesOnFromTheKeptCursor() async throws {
        let client = try await world.liveClient(SignedText(cursor: "kept"))
        _ = await world.transport.nextPoll()
        await client.stop()
        await client.start()
        #expect(await world.transport.nextPoll().request.url.contains("cursor=kept"))
        await client.stop()
    }
}
