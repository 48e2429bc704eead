import Entitlements
import Testing

@testable import EntitledClient

/// Push, durable answer, finish: in this order, whatever fails in between.
@Suite struct PurchaseTests {
    let world: World

    init() throws { world = try World() }

    func results(_ results: String, signed: SignedText? = nil) throws -> TransportResponse {
        let snapshot = try signed.map { #","signedSnapshot":"\#(try world.sign($0))""# } ?? ""
        return TransportResponse(
            status: 200, headers: ["content-type": "application/json; charset=utf-8"],
            body: Array(#"{"results":[\#(results)]\#(snapshot)}"#.utf8))
    }

    let recorded = #"{"transactionId":"7","outcome":"recorded","finish":true}"#

    func outboxItems() throws -> [OutboxItem] {
        try Outbox(
            accountDirectory: world.accountDirectory(), account: #require(AccountID(World.account)),
            limits: ClientLimits()
        ).items
    }

    @Test func aPushIsAnsweredAndItsSnapshotShown() async throws {
        let client = try await world.liveClient(SignedText(end: nil))
        let hold = await world.transport.nextPoll()
        async let pushed = client.push(signedTransactions: ["a.b.c"], signedRenewalInfos: ["d.e.f"])
        let request = await world.transport.nextPush()
        // On the disk before it is sent.
        #expect(try outboxItems().map(\.signed) == ["a.b.c", "d.e.f"])
        #expect(request.request.body == Array(#"{"signedTransactions":["a.b.c"],"signedRenewalInfos":["d.e.f"]}"#.utf8))
        #expect(request.request.headers["Entitlement-Signed"] == "1")
        request.answer(try results(recorded, signed: SignedText(version: 2, cursor: "c2")))
        let result = try #require(try await pushed.first)
        #expect(result.outcome == .recorded)
        #expect(result.finish)
        #expect(result.transactionId == "7")
        #expect(await client.isEntitled(to: "pro").access == .active)
        #expect(try outboxItems().isEmpty)
        // The poll that was out brings the same view: no news, and the next one goes on from there.
        hold.answer(try world.answer(SignedText(version: 2, cursor: "c2")))
        #expect(await world.transport.nextPoll().request.url.contains("cursor=c2"))
        await client.stop()
    }

    @Test func withoutTheServiceAPushIsQueuedAndDeliveredLater() async throws {
        let client = try await world.liveClient()
        var deliveries = client.deliveries.makeAsyncIterator()
        async let pushed = client.push(signedTransactions: ["a.b.c"])
        await world.transport.nextPush().fail()
        // Both sleep: the caller for the service, the outbox for its next try.
        _ = await world.clock.waitForSleep { $0 == 30_000 }
        _ = await world.clock.waitForSleep { $0 < 500 }
        world.clock.advance(by: 30_000)
        let result = try #require(try await pushed.first)
        #expect(result.outcome == .queued)
        #expect(!result.finish)
        var unfinished: [String] = []
        for await push in client.unfinished { unfinished.append(push.signed) }
        #expect(unfinished == ["a.b.c"])
        await world.transport.nextPush().answer(try results(recorded))
        let delivered = try await deliveries.take()
        #expect(delivered.id == result.id)
        #expect(delivered.finish)
        #expect(try outboxItems().isEmpty)
        await client.stop()
    }

    @Test func whatWaitsIsSentAfterARestartAndOnlyForItsAccount() async throws {
        let client = try world.client()
        _ = try await client.push(signedTransactions: ["a.b.c"])
        try await client.switchAccount(to: #require(AccountID(World.otherAccount))) { "token-other" }
        await client.start()
        let poll = await world.transport.nextPoll()
        #expect(poll.request.url.contains(World.otherAccount))
        #expect(world.transport.untaken == 0)
        try await client.switchAccount(to: #require(AccountID(World.account))) { "token-1" }
        let push = await world.transport.nextPush()
        #expect(push.request.url.contains(World.account))
        #expect(push.request.headers["Authorization"] == "Bearer token-1")
        await client.stop()
    }

    @Test func anAnswerThatDoesNotFitFinishesNothing() async throws {
        let client = try await world.liveClient()
        async let pushed = client.push(signedTransactions: ["a.b.c", "a.b.d"])
        await world.transport.nextPush().answer(try results(recorded))
        _ = await world.clock.waitForSleep { $0 == 30_000 }
        world.clock.advance(by: 30_000)
        #expect(try await pushed.map(\.finish) == [false, false])
        #expect(try outboxItems().count == 2)
        await client.stop()
    }

    @Test func oneObjectThatSpoilsARequestIsFoundAndGivenUp() async throws {
        let client = try await world.liveClient()
        async let pushed = client.push(signedTransactions: ["bad.b.c", "good.b.c"])
        await world.transport.nextPush().answer(problem(400, "malformed"))
        let first = await world.transport.nextPush()
        #expect(first.request.body.map { String(decoding: $0, as: UTF8.self) }?.contains("good") == false)
        first.answer(problem(400, "malformed"))
        await world.transport.nextPush().answer(try results(recorded))
        let results = try await pushed
        #expect(results.map(\.outcome) == [.rejected, .recorded])
        #expect(results.map(\.finish) == [false, true])
        #expect(results[0].reason == "malformed")
        await client.stop()
    }

    @Test func whatTheServiceCouldNotDecideIsAskedAgain() async throws {
        let client = try await world.liveClient()
        async let pushed = client.push(signedTransactions: ["a.b.c", "a.b.d"])
        await world.transport.nextPush().answer(
            try results(#"{"outcome":"retry","finish":false},\#(recorded)"#))
        _ = await world.clock.waitForSleep { $0 < 500 }
        world.clock.advance(by: 500)
        let again = await world.transport.nextPush()
        #expect(again.request.body == Array(#"{"signedTransactions":["a.b.c"],"signedRenewalInfos":[]}"#.utf8))
        again.answer(try results(#"{"transactionId":"6","outcome":"duplicate","finish":true}"#))
        #expect(try await pushed.map(\.outcome) == [.duplicate, .recorded])
        await client.stop()
    }

    @Test(arguments: ["", "a.b", "a.b.c.d", "a b.c.d", String(repeating: "x", count: 70_000) + ".b.c"])
    func whatIsNoSignedObjectIsNotTaken(_ text: String) async throws {
        let client = try world.client()
        await #expect { try await client.push(signedTransactions: [text]) } throws: {
            ($0 as? ClientError)?.code == .invalidInput
        }
        #expect(try outboxItems().isEmpty)
    }

    @Test func aRestoreIsSentAtOnceInPiecesWithProgress() async throws {
        var configuration = try world.configuration()
        configuration.limits.batchCount = 2
        let client = try EntitledClient(configuration: configuration)
        async let restored = client.restore(signedTransactions: ["a.b.c", "a.b.d", "a.b.e"])
        let first = await world.transport.next { $0.url.hasSuffix("/restore") }
        first.answer(try results("\(recorded),\(recorded)"))
        await world.transport.next { $0.url.hasSuffix("/restore") }.answer(
            try results(#"{"outcome":"belongsToAnotherAccount","reason":"transferLimit","finish":true}"#))
        let results = try await restored
        #expect(results.map(\.outcome) == [.recorded, .recorded, .belongsToAnotherAccount])
        #expect(results.last?.reason == "transferLimit")
    }

    @Test func aRestoreWithoutTheServiceIsAnErrorNotAQueue() async throws {
        let client = try world.client()
        let restored = Task { try await client.restore(signedTransactions: ["a.b.c"]) }
        await world.transport.next { $0.url.hasSuffix("/restore") }.fail()
        await #expect { _ = try await restored.value } throws: { ($0 as? ClientError)?.code == .network }
        #expect(try outboxItems().isEmpty)
    }

    @Test func aSpendTellsTheServicesRefusal() async throws {
        let client = try world.client()
        let spent = Task { try await client.spend(amount: 80, currency: "coins", idempotencyKey: "k1") }
        let request = await world.transport.next { $0.url.hasSuffix("/balances/coins/spend") }
        #expect(request.request.body == Array(#"{"amount":80,"idempotencyKey":"k1"}"#.utf8))
        request.answer(problem(409, "insufficientBalance"))
        await #expect { _ = try await spent.value } throws: {
            ($0 as? ClientError)?.problemCode == "insufficientBalance"
        }

        async let again = client.spend(amount: 20, currency: "coins", idempotencyKey: "k2")
        await world.transport.next { $0.url.hasSuffix("/balances/coins/spend") }.answer(
            TransportResponse(
                status: 200, headers: ["content-type": "application/json"],
                body: Array(
                    #"{"balance":100,"signedSnapshot":"\#(try world.sign(SignedText(version: 3, coins: 100)))"}"#.utf8))
        )
        #expect(try await again.balance == 100)
        #expect(await client.balance(of: "coins").amount == 100)
        await #expect(throws: ClientError.self) {
            try await client.spend(amount: 0, currency: "coins", idempotencyKey: "k3")
        }
    }
}
