import Entitlements
import Foundation
import Service
import TestSupport
import Testing

/// What operators get of an account, and what devices do not.
@Suite struct ExportTests {
    /// Every text that Apple signed comes back as it was sent, notifications with the objects inside them included.
    @Test func theExportHasWhatWasSignedByteForByte() async throws {
        try await withService(catalog: GenuineSession.catalog, clock: SystemClock()) { fixture in
            let path = "\(fixture.base)/accounts/\(GenuineSession.account)"
            let pushed = try GenuineSession.transaction()
            _ = try await fixture.client.send(
                "POST", "\(path)/transactions", token: try fixture.deviceToken(GenuineSession.account),
                body: ["signedTransactions": [.string(pushed)]])
            var sent: Set = [pushed]
            for payload in try GenuineSession.notifications() {
                sent.insert(payload)
                _ = try await fixture.client.send(
                    "POST", "\(fixture.base)/notifications/appstore", body: ["signedPayload": .string(payload)])
            }
            _ = try await fixture.client.send(
                "POST", "\(path)/grants?environment=Sandbox", token: try fixture.token(.support),
                body: ["id": "g1", "entitlement": "pro"])
            let answer = try await fixture.client.send("GET", "\(path)/export", token: try fixture.token(.support))
            let parts = try #require(answer.json["environments"]?.arrayValue)
            #expect(parts.count == 1)
            let part = try #require(parts.first?.objectValue)
            #expect(part["environment"] == "Sandbox")
            let events = try #require(part["events"]?.arrayValue).compactMap(\.objectValue)
            #expect(Set(events.compactMap { $0["signed"]?.stringValue }) == sent)
            #expect(part["grants"]?.arrayValue?.first?.objectValue?["id"] == "g1")
            #expect(part["bindings"]?.arrayValue?.isEmpty == false)
            #expect(part["next"] == .null)

            let first = try await fixture.client.send(
                "GET", "\(path)/export?environment=Sandbox&limit=3", token: try fixture.token(.admin))
            let page = try #require(first.json["environments"]?.arrayValue?.first?.objectValue)
            #expect(page["events"]?.arrayValue?.count == 3)
            #expect(page["next"] == 3)
        }
    }

    @Test(arguments: ["history", "explain", "export"]) func aDeviceMayNotAsk(what: String) async throws {
        try await withService(catalog: GenuineSession.catalog, clock: SystemClock()) { fixture in
            let account = GenuineSession.account
            for token in [try fixture.deviceToken(account), try fixture.token(.backend)] {
                let answer = try await fixture.client.send(
                    "GET", "\(fixture.base)/accounts/\(account)/\(what)", token: token)
                #expect(answer.status == 403)
                #expect(answer.json["code"] == "forbiddenScope")
            }
        }
    }
}
