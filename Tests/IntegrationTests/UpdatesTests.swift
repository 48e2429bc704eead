import AppStoreSimulator
import Entitlements
import Foundation
import Service
import TestSupport
import Testing

/// `GET …/updates` and what held clients are told.
@Suite struct UpdatesTests {
    static let account = AccountID(UUID(uuid: (6, 6, 6, 6, 6, 6, 0x46, 6, 0x86, 6, 6, 6, 6, 6, 6, 6)))
    static let catalog = Catalog(
        bundleId: "com.example.app", appAppleId: 1,
        products: [
            "life": Product(type: .nonConsumable, entitlements: ["pro"]),
            "coins": Product(type: .consumable, credits: .init(currency: "coins", amount: 100)),
        ])

    static func transaction(_ id: Int, product: String = "life", environment: String = "Production") throws -> JSONValue
    {
        .string(
            try authority.sign([
                "transactionId": .string("\(id)"), "originalTransactionId": .string("\(id)"),
                "bundleId": "com.example.app", "productId": .string(product), "environment": .string(environment),
                "type": .string(product == "life" ? "Non-Consumable" : "Consumable"), "quantity": 1,
                "purchaseDate": 1_790_000_000_000, "signedDate": 1_790_000_000_001,
                "inAppOwnershipType": "PURCHASED", "appAccountToken": .string(account.description),
            ]))
    }

    static func push(
        _ fixture: ServiceFixture, _ transactions: [JSONValue], headers: [String: String] = [:]
    ) async throws -> HTTPClient.Answer {
        try await fixture.client.send(
            "POST", "\(fixture.base)/accounts/\(account)/transactions", token: try fixture.deviceToken(account),
            body: ["signedTransactions": .array(transactions)], headers: headers)
    }

    private static func updates(_ fixture: ServiceFixture, _ query: String) async throws -> HTTPClient.Answer {
        try await fixture.client.send(
            "GET", "\(fixture.base)/accounts/\(account)/updates?\(query)", token: try fixture.deviceToken(account))
    }

    /// Starts a request and returns once it is held.
    private static func held(
        _ fixture: ServiceFixture, count: Int = 1, _ body: @escaping @Sendable () async throws -> HTTPClient.Answer
    ) async -> Task<HTTPClient.Answer, any Error> {
        let task = Task { try await body() }
        while await fixture.service.heldPolls < count { await Task.yield() }
        return task
    }

    private static func versions(_ answer: HTTPClient.Answer) -> [Int64] {
        (answer.json["updates"]?.arrayValue ?? []).compactMap { $0.objectValue?["version"]?.integerValue }
    }

    @Test func whatHappenedComesInOrderAndIsWaitedFor() async throws {
        try await withService(catalog: Self.catalog, clock: ManualClock(1_790_000_100_000), loops: 2) { fixture in
            let poll = await Self.held(fixture) { try await Self.updates(fixture, "after=0&wait=200") }
            _ = try await Self.push(fixture, [try Self.transaction(1)])
            let first = try await poll.value
            #expect(first.status == 200)
            let entry = try #require(first.json["updates"]?.arrayValue?.first?.objectValue)
            #expect(entry["version"] == 1)
            #expect(entry["type"] == "one_time_purchase")
            #expect(entry["effectiveAt"] == 1_790_000_000_000)
            #expect(entry["recordedAt"] == 1_790_000_100_000)
            #expect(first.json["next"] == 1)

            _ = try await Self.push(fixture, [try Self.transaction(2, product: "coins"), try Self.transaction(3)])
            let page = try await Self.updates(fixture, "after=0&limit=2&wait=200")
            #expect(Self.versions(page) == [1, 2])
            let rest = try await Self.updates(fixture, "after=2")
            #expect(Self.versions(rest) == [3])
            let none = try await Self.updates(fixture, "after=3")
            #expect(none.status == 200 && Self.versions(none) == [] && none.json["next"] == 3)
            // More than there is: sent back to the end instead of waiting for what may never come.
            let ahead = try await Self.updates(fixture, "after=9&wait=200")
            #expect(ahead.json["next"] == 3)
        }
    }

    @Test func theWaitEndsWithNothing() async throws {
        try await withService(catalog: Self.catalog, clock: SystemClock()) { fixture in
            let answer = try await Self.updates(fixture, "after=0&wait=1")
            #expect(answer.status == 200)
            #expect(answer.json["updates"] == [])
            #expect(answer.json["next"] == 0)
        }
    }

    /// A device's poll for its view and that for what happened do not take over from each other; both are told.
    @Test func bothPollsOfADeviceAreHeld() async throws {
        try await withService(catalog: Self.catalog, clock: ManualClock(1_790_000_100_000)) { fixture in
            let path = "\(fixture.base)/accounts/\(Self.account)"
            let token = try fixture.deviceToken(Self.account)
            let headers = ["Entitlement-Installation": "device-1"]
            let now = try await fixture.client.send("GET", "\(path)/entitlements", token: token)
            let cursor = try #require(now.json["cursor"]?.stringValue)
            let view = await Self.held(fixture) {
                try await fixture.client.send(
                    "GET", "\(path)/entitlements?cursor=\(cursor)&wait=200", token: token, headers: headers)
            }
            let updates = await Self.held(fixture, count: 2) {
                try await fixture.client.send(
                    "GET", "\(path)/updates?after=0&wait=200", token: token, headers: headers)
            }
            _ = try await Self.push(fixture, [try Self.transaction(1)])
            #expect(try await view.value.json["snapshot"]?.objectValue?["version"] == 1)
            #expect(try await Self.versions(updates.value) == [1])
        }
    }

    /// Every held client of the app is told of another catalog, since its cursor is of the old one; polls for events are not.
    @Test func anotherCatalogIsToldToHeldClients() async throws {
        try await withService(catalog: Self.catalog, clock: ManualClock(1_790_000_100_000), loops: 2) { fixture in
            let path = "\(fixture.base)/accounts/\(Self.account)"
            let token = try fixture.deviceToken(Self.account)
            let pushed = try await Self.push(fixture, [try Self.transaction(1)])
            let cursor = try #require(pushed.json["cursor"]?.stringValue)
            let view = await Self.held(fixture) {
                try await fixture.client.send("GET", "\(path)/entitlements?cursor=\(cursor)&wait=200", token: token)
            }
            let other = AccountID(UUID(uuid: (7, 6, 6, 6, 6, 6, 0x46, 6, 0x86, 6, 6, 6, 6, 6, 6, 6)))
            let otherToken = try fixture.deviceToken(other)
            let otherPath = "\(fixture.base)/accounts/\(other)/entitlements"
            let empty = try await fixture.client.send("GET", otherPath, token: otherToken)
            let otherCursor = try #require(empty.json["cursor"]?.stringValue)
            let unchanged = await Self.held(fixture, count: 2) {
                try await fixture.client.send("GET", "\(otherPath)?cursor=\(otherCursor)&wait=200", token: otherToken)
            }
            let updates = await Self.held(fixture, count: 3) { try await Self.updates(fixture, "after=1&wait=200") }

            var catalog = Self.catalog
            catalog.products["life"]?.entitlements = ["pro", "plus"]
            let put = try await fixture.client.send(
                "PUT", "\(fixture.base)/catalog?reason=more", token: try fixture.token(.admin, "anna"),
                body: catalog.json)
            #expect(put.json["outcome"] == "recorded")
            let answer = try await view.value
            let ids = answer.json["snapshot"]?.objectValue?["entitlements"]?.arrayValue?
                .compactMap { $0.objectValue?["id"]?.stringValue }
            #expect(ids == ["plus", "pro"])
            let same = try await unchanged.value
            #expect(same.status == 200)
            #expect(same.json["cursor"]?.stringValue != otherCursor)
            #expect(await fixture.service.heldPolls == 1)
            _ = try await Self.push(fixture, [try Self.transaction(2)])
            #expect(try await Self.versions(updates.value) == [2])

            // What was known before the change is read by the catalog of that time.
            let clock = try #require(fixture.clock as? ManualClock)
            let then = clock.now() - 1
            let past = try await fixture.client.send(
                "GET", "\(path)/explain?at=\(clock.now())&knownAt=\(then)", token: try fixture.token(.support))
            #expect(past.json["entitlements"] == [])
        }
    }

    /// A device in the sandbox that names no environment is shown what it pushed to.
    @Test func thePushShowsTheEnvironmentPushedTo() async throws {
        try await withService(catalog: Self.catalog, clock: ManualClock(1_790_000_100_000)) { fixture in
            let sandbox = try await Self.push(fixture, [try Self.transaction(1, environment: "Sandbox")])
            #expect(sandbox.json["snapshot"]?.objectValue?["environment"] == "Sandbox")
            #expect(sandbox.json["snapshot"]?.objectValue?["version"] == 1)
            let both = try await Self.push(
                fixture, [try Self.transaction(2), try Self.transaction(3, environment: "Sandbox")])
            #expect(both.json["snapshot"]?.objectValue?["environment"] == "Production")
        }
    }

    @Test func aSpendIsSignedWhenAskedFor() async throws {
        try await withService(catalog: Self.catalog, clock: ManualClock(1_790_000_100_000)) { fixture in
            _ = try await Self.push(fixture, [try Self.transaction(2, product: "coins")])
            func spend(_ key: String, _ headers: [String: String]) async throws -> HTTPClient.Answer {
                try await fixture.client.send(
                    "POST", "\(fixture.base)/accounts/\(Self.account)/balances/coins/spend",
                    token: try fixture.deviceToken(Self.account),
                    body: ["amount": 10, "idempotencyKey": .string(key)], headers: headers)
            }
            let wrong = try await spend("a", ["Entitlement-Signed": "1", "Entitlement-Installation": "no no"])
            #expect(wrong.status == 400)
            let answer = try await spend("b", ["Entitlement-Signed": "1", "Entitlement-Installation": "device-1"])
            #expect(answer.json["snapshot"]?.objectValue?["balances"]?.objectValue?["coins"] == 90)
            #expect(answer.json["signedSnapshot"]?.stringValue?.split(separator: ".").count == 3)
            let plain = try await spend("c", [:])
            #expect(plain.json["signedSnapshot"] == nil)
        }
    }
}
