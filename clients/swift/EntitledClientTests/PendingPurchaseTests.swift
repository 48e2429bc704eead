import Entitlements
import Signatures
import Testing

@testable import EntitledClient

/// Ask to Buy: shown, kept, granting nothing, gone by itself.
@Suite struct PendingPurchaseTests {
    let world: World

    init() throws { world = try World() }

    private func products(_ client: EntitledClient) async -> [String] { await client.view.pending.map(\.productId) }

    /// A transaction whose signature nobody looks at.
    private func transaction(_ productId: String, bought purchaseDate: Milliseconds) throws -> String {
        try CompactJWS.sign(
            header: Array(#"{"alg":"ES256"}"#.utf8),
            payload: Array(#"{"productId":"\#(productId)","purchaseDate":\#(purchaseDate)}"#.utf8), by: world.key)
    }

    private func recorded() -> TransportResponse {
        TransportResponse(
            status: 200, headers: ["content-type": "application/json"],
            body: Array(#"{"results":[{"transactionId":"7","outcome":"recorded","finish":true}]}"#.utf8))
    }

    @Test func itIsShownAndGrantsNothing() async throws {
        let client = try await world.liveClient(SignedText(end: nil))
        var updates = client.updates.makeAsyncIterator()
        while try await updates.take().payloadValue.snapshot == nil {}
        try await client.purchaseIsPending(productId: "pro.y")
        let view = try await updates.take().payloadValue
        #expect(
            view.pending == [PendingPurchase(productId: "pro.y", since: World.now, until: World.now + 7 * Time.day)])
        #expect(view.answer(for: "pro") == EntitlementAnswer(.inactive))
        #expect(view.currentEntitlements.isEmpty)
        await client.stop()
    }

    @Test func itOutlivesTheProcessAndIsTheAccountsOwn() async throws {
        let other = try #require(AccountID(World.otherAccount))
        do {
            let client = try world.client()
            try await client.purchaseIsPending(productId: "pro.y")
            #expect(await client.isEntitled(to: "pro") == .unknown, "no data is never no")
            try await client.switchAccount(to: other) { "token-other" }
            #expect(await products(client) == [])
            try await client.switchAccount(to: #require(AccountID(World.account))) { "token-1" }
            #expect(await products(client) == ["pro.y"])
        }
        var configuration = try world.configuration()
        configuration.role = .readOnly
        let reader = try EntitledClient(configuration: configuration)
        #expect(await products(reader) == ["pro.y"])
        let error = await #expect(throws: ClientError.self) { try await reader.purchaseIsPending(productId: "x") }
        #expect(error?.code == .readOnly)
    }

    @Test func theSnapshotThatHasItSettlesIt() async throws {
        let client = try await world.liveClient(SignedText(end: World.now + Time.day))
        var updates = client.updates.makeAsyncIterator()
        while try await updates.take().payloadValue.snapshot == nil {}
        // The entitlement's present product was bought yesterday: that is not what is waited for.
        try await client.purchaseIsPending(productId: "pro.y")
        world.clock.advance(by: 3_600_000)
        #expect(await products(client) == ["pro.y"])
        let approved = SignedText(version: 2, serverTime: World.now + 3_600_000, purchaseDate: World.now + 3_000_000)
        await world.transport.nextPoll().answer(try world.answer(approved))
        while try await !updates.take().payloadValue.pending.isEmpty {}
        #expect(PendingStore(accountDirectory: try world.accountDirectory()).load() == [])
        await client.stop()
    }

    @Test func aDeliveredTransactionSettlesItThoughNoEntitlementShowsIt() async throws {
        let client = try await world.liveClient()
        try await client.purchaseIsPending(productId: "coins100")
        let older = try transaction("coins100", bought: World.now - Time.day)
        async let first = client.push(signedTransactions: [older])
        await world.transport.nextPush().answer(recorded())
        #expect(try await first.map(\.finish) == [true])
        #expect(await products(client) == ["coins100"], "an older purchase is another one")

        let approved = try transaction("coins100", bought: World.now + 5_000)
        async let second = client.push(signedTransactions: [approved])
        let push = await world.transport.nextPush()
        #expect(await products(client) == ["coins100"], "until the service has it")
        push.answer(recorded())
        _ = try await second
        #expect(await products(client) == [])
        await client.stop()
    }

    @Test func itCountsAsDeclinedWhenItsTimeIsOver() async throws {
        let client = try world.client()
        try await client.purchaseIsPending(productId: "coins100")
        world.clock.advance(by: 7 * Time.day - 1)
        #expect(await products(client) == ["coins100"])
        await client.start()
        var updates = client.updates.makeAsyncIterator()
        _ = try await updates.take()
        // The timer, without any answer of the service.
        _ = await world.clock.waitForSleep { $0 == 1 }
        world.clock.advance(by: 1)
        while try await !updates.take().payloadValue.pending.isEmpty {}
        var diagnostics = client.diagnostics.makeAsyncIterator()
        while try await diagnostics.take().subject != .pendingGivenUp {}
        await client.stop()
    }

    @Test func theAppMaySayThatNobodyWillApproveIt() async throws {
        let client = try world.client()
        try await client.purchaseIsPending(productId: "a")
        try await client.purchaseIsPending(productId: "b")
        try await client.purchaseIsNotPending(productId: "a")
        try await client.purchaseIsNotPending(productId: "c")
        #expect(await products(client) == ["b"])
    }

    @Test func thereAreNoMoreThanTheLimit() async throws {
        let client = try world.client()
        for number in 0..<100 { try await client.purchaseIsPending(productId: "p\(number)") }
        await #expect(throws: ClientError.self) { try await client.purchaseIsPending(productId: "one more") }
        // The same one again is none more, and its time begins anew.
        world.clock.advance(by: 1_000)
        try await client.purchaseIsPending(productId: "p0")
        #expect(await client.view.pending.last?.since == World.now + 1_000)
        await #expect(throws: ClientError.self) { try await client.purchaseIsPending(productId: "") }
    }

    @Test func aBrokenFileIsReportedAndBegunAnew() async throws {
        try write(
            Array(#"{"format":1,"pending":[{"productId":"a","since":1,"until":-9223372036854775808}]}"#.utf8),
            world.file("pending.json"))
        let client = try world.client()
        #expect(await products(client) == [])
        var diagnostics = client.diagnostics.makeAsyncIterator()
        #expect(try await diagnostics.take().subject == .pendingFileRefused)
        try await client.purchaseIsPending(productId: "b")
        #expect(PendingStore(accountDirectory: try world.accountDirectory()).load()?.map(\.productId) == ["b"])
    }

    @MainActor @Test func aUserInterfaceSeesIt() async throws {
        let client = try world.client()
        let observed = ObservedEntitlements()
        let following = Task { await observed.follow(client) }
        try await client.purchaseIsPending(productId: "coins100")
        while !observed.isPending("coins100") { await Task.yield() }
        #expect(!observed.isPending("coins200"))
        #expect(observed.answer(for: "pro") == .unknown)
        following.cancel()
        await following.value
    }
}
