import Testing

@testable import Entitlements

/// Erasing an account removes its personal link and payloads (rules.md R7).
@Suite("Erasure (R7)")
struct ErasureTests {
    private static let (first, second) = (RandomFacts.accounts[0], RandomFacts.accounts[1])
    private static let start = RandomFacts.origin

    private func period(_ id: String, from start: Milliseconds) -> JSONObject {
        [
            "transactionId": .string(id), "originalTransactionId": "100", "bundleId": "com.example.app",
            "productId": "pro.m", "type": "Auto-Renewable Subscription", "purchaseDate": .integer(start),
            "expiresDate": .integer(start + 30 * Time.day), "signedDate": .integer(start + 2000),
            "environment": "Production",
        ]
    }

    /// The first account claims, the second restores; then the first is erased and the next period comes.
    private func worldAfterErasureAndRenewal() -> World {
        var world = RandomWorld.empty()
        _ = world.push(account: Self.first, transactions: [period("100", from: Self.start)], at: Self.start + 5000)
        _ = world.push(
            account: Self.second, transactions: [period("100", from: Self.start)], isRestore: true,
            at: Self.start + Time.day)
        _ = world.erase(Self.first, at: Self.start + 2 * Time.day)
        world.learn(
            .transaction(period("101", from: Self.start + 30 * Time.day)), at: Self.start + 30 * Time.day)
        return world
    }

    @Test("A former owner who was erased does not get the lineage back with its next fact")
    func erasedFormerOwner() {
        let world = worldAfterErasureAndRenewal()
        let erased = world.state(.account(.production, Self.first))
        #expect(erased.lineages.isEmpty)
        #expect(world.events(of: .account(.production, Self.first)).last?.body == .erased)
        let other = world.snapshot(
            account: Self.second, environment: .production, at: Self.start + 31 * Time.day)
        #expect(other.active == ["pro"])
    }

    @Test("The account may come back later and restore it anew")
    func restoreAfterErasure() {
        var world = worldAfterErasureAndRenewal()
        let now = Self.start + 32 * Time.day
        let outcomes = world.push(
            account: Self.first, transactions: [period("101", from: Self.start + 30 * Time.day)], isRestore: true,
            at: now)
        #expect(outcomes == [.recorded])
        #expect(world.snapshot(account: Self.first, environment: .production, at: now).active == ["pro"])
        #expect(world.snapshot(account: Self.second, environment: .production, at: now).active == [])
    }

    @Test("A locked lineage takes later facts without giving them to the erased account")
    func lockedLineage() {
        var world = RandomWorld.empty()
        _ = world.push(account: Self.first, transactions: [period("100", from: Self.start)], at: Self.start + 5000)
        _ = world.erase(Self.first, at: Self.start + Time.day)
        world.learn(
            .transaction(period("101", from: Self.start + 30 * Time.day)), at: Self.start + 30 * Time.day)
        #expect(world.state(.account(.production, Self.first)).lineages.isEmpty)
        #expect(world.unclaimed(environment: .production) == [])
        let outcomes = world.push(
            account: Self.second, transactions: [period("101", from: Self.start + 30 * Time.day)],
            at: Self.start + 31 * Time.day)
        #expect(outcomes == [.belongsToAnotherAccount(.locked)])
    }
}
