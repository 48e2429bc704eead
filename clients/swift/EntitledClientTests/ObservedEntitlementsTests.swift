import Entitlements
import Testing

@testable import EntitledClient

@Suite struct ObservedEntitlementsTests {
    @MainActor @Test func aViewFollowsTheClient() async throws {
        let world = try World()
        let client = try await world.liveClient()
        let observed = ObservedEntitlements()
        #expect(observed.answer(for: "pro") == .unknown)
        let following = Task { await observed.follow(client) }
        while observed.answer(for: "pro").access != .active || observed.status != .live { await Task.yield() }
        following.cancel()
        await following.value
        await client.stop()
    }
}
