import Entitlements
import Testing

@testable import EntitledClient

/// A whole client on a device that a test leads through its life: files, clocks, restarts, a service that answers or not.
struct PlayedDevice {
    let world: World
    private(set) var client: EntitledClient
    private var version = 0

    init() throws {
        world = try World()
        client = try world.client()
    }

    /// A fetch brings this; it is shown when this returns.
    mutating func fetch(_ signed: SignedText) async throws {
        version += 1
        var signed = signed
        signed.version = version
        signed.account = await client.account.description
        let poll = await openPoll()
        poll.answer(try world.answer(signed))
        while await client.view.snapshot?.version != Int64(version) { await Task.yield() }
    }

    /// A fetch is tried, and nobody answers.
    func failToFetch() async {
        await openPoll().fail()
        while await client.lastStatus != .offline { await Task.yield() }
    }

    /// The client asks anew, whatever it was waiting for.
    private func openPoll() async -> ScriptedTransport.Exchange {
        await client.stop()
        await client.start()
        while true {
            let poll = await world.transport.nextPoll()
            // Those of before were given up.
            if poll.isOpen { return poll }
        }
    }

    /// The process ends; then the time passes and another one starts, without network.
    mutating func restart(_ passTime: () -> Void) async throws {
        await client.stop()
        // Another file than its directory's lock can have nothing to do with this client.
        client = try World().client()
        // The lock goes with the last reference to the former client; its ended tasks may hold one a moment longer.
        while try FileLock(StorageLayout(world.directory).lock) == nil { await Task.yield() }
        passTime()
        client = try world.client()
    }

    func switchAccount() async throws {
        try await client.switchAccount(to: #require(AccountID(World.otherAccount))) { "token-other" }
    }

    var answer: EntitlementAnswer { get async { await client.isEntitled(to: "pro") } }
}
