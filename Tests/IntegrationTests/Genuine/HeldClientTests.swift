import Entitlements
import Foundation
import Service
import TestSupport
import Testing

/// The 14 notifications that Apple signed, posted to a service, with a client held on the account.
@Suite struct HeldClientTests {
    @Test func aHeldClientIsAnsweredSoonAfterEachChange() async throws {
        try await withService(catalog: GenuineSession.catalog, clock: SystemClock(), loops: 2) { fixture in
            let account = GenuineSession.account
            let path = "\(fixture.base)/accounts/\(account)/entitlements?environment=Sandbox"
            let token = try fixture.deviceToken(account)
            let pushed = try await fixture.client.send(
                "POST", "\(fixture.base)/accounts/\(account)/transactions?environment=Sandbox", token: token,
                body: ["signedTransactions": [.string(try GenuineSession.transaction())]])
            #expect(pushed.json["results"]?.arrayValue?.first?.objectValue?["outcome"] == "recorded")
            var cursor = try #require(pushed.json["cursor"]?.stringValue)
            var delays: [Duration] = []
            for payload in try GenuineSession.notifications() {
                let held = Task { [cursor] in
                    let answer = try await fixture.client.send(
                        "GET", "\(path)&cursor=\(cursor)&wait=60", token: token)
                    return (answer, ContinuousClock.now)
                }
                while await fixture.service.heldPolls == 0 { await Task.yield() }
                let told = try await fixture.client.send(
                    "POST", "\(fixture.base)/notifications/appstore", body: ["signedPayload": .string(payload)])
                let committed = ContinuousClock.now
                #expect(told.status == 200 && told.json["outcome"] == "recorded", "\(told.json)")
                let (answer, answered) = try await held.value
                #expect(answer.status == 200)
                cursor = try #require(answer.json["cursor"]?.stringValue)
                delays.append(answered - committed)
            }
            // Answered by the change, not by the end of the hold. How fast is measured by `entitled bench hold`.
            #expect(delays.allSatisfy { $0 < .seconds(30) }, "\(delays)")
        }
    }
}
