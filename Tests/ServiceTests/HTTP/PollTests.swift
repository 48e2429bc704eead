import Entitlements
import Foundation
import Signatures
import TestSupport
import Testing

@testable import Service

@Suite struct PollTests {
    /// Waits until the service holds that many polls.
    private func untilHeld(_ count: Int, _ service: RunningService) async throws {
        while await service.instance.heldPolls != count { try await Task.sleep(for: .milliseconds(5)) }
    }

    @Test func aPollIsAnsweredByAPush() async throws {
        try await withRunningService { service in
            let account = newAccount()
            let client = try ServiceClient.device(account, of: service)
            let cursor = try #require(try await client.entitlements(account).header("Entitlement-Cursor"))
            async let held = client.entitlements(account, "?cursor=\(cursor)&wait=240")
            try await untilHeld(1, service)
            let pushed = try await client.push([SignedData(service: service).transaction(1)], account: account)
            let reply = try await held
            #expect(reply.status == 200)
            #expect(try reply.json()["snapshot"] == pushed.json()["snapshot"])
            #expect(await service.instance.heldPolls == 0)
        }
    }

    @Test func aPollIsAnsweredByTheEndOfTime() async throws {
        try await withRunningService { service in
            let account = newAccount()
            let client = try ServiceClient.device(account, of: service)
            let cursor = try #require(try await client.entitlements(account).header("Entitlement-Cursor"))
            async let held = client.entitlements(account, "?cursor=\(cursor)&wait=10")
            try await untilHeld(1, service)
            service.clock.advance(by: 10_000)
            await service.instance.timePassed()
            let reply = try await held
            #expect(reply.status == 204 && reply.body.isEmpty)
            #expect(reply.header("Entitlement-Cursor") != nil && reply.header("Cache-Control") == "private, no-store")
        }
    }

    @Test func aPollIsAnsweredByAnExpiry() async throws {
        try await withRunningService { service in
            let account = newAccount()
            let client = try ServiceClient.device(account, of: service)
            let expires = service.clock.now() + 100_000
            let signed = try SignedData(service: service).transaction(1, changing: ["expiresDate": .integer(expires)])
            let cursor = try #require(try await client.push([signed], account: account).json()["cursor"]?.stringValue)
            async let held = client.entitlements(account, "?cursor=\(cursor)&wait=240")
            try await untilHeld(1, service)
            service.clock.advance(by: 100_000)
            await service.instance.timePassed()
            let snapshot = try #require(try await held.json()["snapshot"]?.objectValue)
            #expect(snapshot["entitlements"]?.arrayValue?.first?.objectValue?["isActive"] == false)
            #expect(snapshot["version"] == 2 && snapshot["asOf"]?.integerValue == expires)
        }
    }

    @Test func aPollIsAnsweredByANotificationAndByACatalog() async throws {
        try await withRunningService { service in
            let account = newAccount()
            let client = try ServiceClient.device(account, of: service)
            let data = SignedData(service: service)
            let token: JSONObject = ["appAccountToken": .string(account.description)]
            let cursor = try #require(try await client.entitlements(account).header("Entitlement-Cursor"))

            async let told = client.entitlements(account, "?cursor=\(cursor)&wait=240")
            try await untilHeld(1, service)
            let signed = try data.transaction(1, product: "life", changing: token)
            let anybody = ServiceClient(service: service)
            let notified = try await anybody.send(
                "POST", "/v1/apps/com.example.app/notifications/appstore",
                json: ["signedPayload": .string(try data.notification("n1", transaction: signed))])
            #expect(notified.status == 200)
            let first = try await told.json()
            #expect(first["snapshot"]?.objectValue?["version"] == 1)
            let next = try #require(first["cursor"]?.stringValue)

            async let changed = client.entitlements(account, "?cursor=\(next)&wait=240")
            try await untilHeld(1, service)
            var catalog = try #require(try JSONValue(parsing: standardCatalog).objectValue)
            catalog["products"] = ["life": ["type": "Non-Consumable", "entitlements": ["everything"]]]
            let put = try await ServiceClient.scope(.admin, of: service).send(
                "PUT", "/v1/apps/com.example.app/catalog", json: .object(catalog))
            #expect(put.status == 200)
            let second = try await changed.json()
            let entry = second["snapshot"]?.objectValue?["entitlements"]?.arrayValue?.first?.objectValue
            #expect(entry?["id"] == "everything")
        }
    }

    @Test func aPollIsAnsweredByAnotherInstance() async throws {
        try await withRunningService { service in
            try await service.withAnotherInstance { other in
                let account = newAccount()
                let here = try ServiceClient.device(account, of: service)
                let there = try ServiceClient.device(account, of: other)
                let cursor = try #require(try await here.entitlements(account).header("Entitlement-Cursor"))
                async let held = there.entitlements(account, "?cursor=\(cursor)&wait=240")
                try await untilHeld(1, other)
                let pushed = try await here.push([SignedData(service: service).transaction(1)], account: account)
                let reply = try await held
                #expect(try reply.json()["snapshot"]?.objectValue?["version"] == 2)
                // Whichever instance is asked, a client never goes back.
                let seen = try #require(pushed.json()["cursor"]?.stringValue)
                async let next = there.entitlements(account, "?cursor=\(seen)&wait=5")
                try await untilHeld(1, other)
                service.clock.advance(by: 5000)
                await other.instance.timePassed()
                #expect(try await next.status == 204)
            }
        }
    }

    @Test func aCursorThatIsNotOursCountsAsNone() async throws {
        try await withRunningService { service in
            let (account, other) = (newAccount(), newAccount())
            let client = try ServiceClient.device(account, of: service)
            let theirs = try #require(
                try await ServiceClient.device(other, of: service).entitlements(other).header("Entitlement-Cursor"))
            for cursor in ["", "x", theirs, String(theirs.reversed())] {
                let reply = try await client.entitlements(account, "?cursor=\(cursor)&wait=240")
                #expect(reply.status == 200, "\(cursor)")
            }
        }
    }

    @Test func aNewPollOfADeviceTakesOver() async throws {
        try await withRunningService(change: { $0.loops = 1 }) { service in
            let account = newAccount()
            let client = try ServiceClient.device(account, of: service)
            let cursor = try #require(try await client.entitlements(account).header("Entitlement-Cursor"))
            let query = "?cursor=\(cursor)&wait=240"
            let device = ["Entitlement-Installation": "phone"]
            let first = Task { try await client.entitlements(account, query, headers: device) }
            try await untilHeld(1, service)
            let second = Task { try await client.entitlements(account, query, headers: device) }
            #expect(try await first.value.status == 204)
            #expect(await service.instance.heldPolls == 1)
            second.cancel()
            _ = try? await second.value
        }
    }

    @Test func aClientThatLeavesIsForgotten() async throws {
        try await withRunningService { service in
            let account = newAccount()
            let client = try ServiceClient.device(account, of: service)
            let cursor = try #require(try await client.entitlements(account).header("Entitlement-Cursor"))
            let poll = Task { try await client.entitlements(account, "?cursor=\(cursor)&wait=240") }
            try await untilHeld(1, service)
            poll.cancel()
            try await untilHeld(0, service)
            _ = try? await poll.value
        }
    }

    @Test func noRoomIsTold() async throws {
        try await withRunningService(change: {
            $0.limits.holds = 1; $0.loops = 1
        }) { service in
            let account = newAccount()
            let client = try ServiceClient.device(account, of: service)
            let cursor = try #require(try await client.entitlements(account).header("Entitlement-Cursor"))
            let query = "?cursor=\(cursor)&wait=240"
            let poll = Task { try await client.entitlements(account, query) }
            try await untilHeld(1, service)
            let refused = try await client.entitlements(account, query)
            #expect(refused.status == 503)
            #expect(try refused.code() == "overloaded")
            #expect(5...30 ~= Int(refused.header("Retry-After") ?? "") ?? 0)
            poll.cancel()
            _ = try? await poll.value
        }
    }

    @Test func heldPollsAreAnsweredAtTheEnd() async throws {
        try await withRunningService { service in
            let account = newAccount()
            let client = try ServiceClient.device(account, of: service)
            let cursor = try #require(try await client.entitlements(account).header("Entitlement-Cursor"))
            let poll = Task { try await client.entitlements(account, "?cursor=\(cursor)&wait=240") }
            try await untilHeld(1, service)
            await service.instance.drain()
            let reply = try await poll.value
            #expect(reply.status == 204 && reply.header("Connection")?.lowercased() == "close")
        }
    }

    @Test func theSameViewNeedNotBeSentAgain() async throws {
        try await withRunningService { service in
            let account = newAccount()
            let client = try ServiceClient.device(account, of: service)
            let first = try await client.entitlements(account)
            let tag = try #require(first.header("ETag"))
            service.clock.advance(by: 5)
            let second = try await client.entitlements(account, headers: ["If-None-Match": "\"x\", \(tag)"])
            #expect(second.status == 304 && second.body.isEmpty && second.header("Entitlement-Cursor") != nil)
            let jose = ["Accept": "application/jose", "If-None-Match": tag]
            #expect(try await client.entitlements(account, headers: jose).status == 200)
            _ = try await client.push([SignedData(service: service).transaction(1)], account: account)
            #expect(try await client.entitlements(account, headers: ["If-None-Match": tag]).status == 200)
        }
    }
}
