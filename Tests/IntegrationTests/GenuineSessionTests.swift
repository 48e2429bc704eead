import Entitlements
import Foundation
import Service
import TestSupport
import Testing

/// The 14 notifications that Apple signed, posted to a service, with a client held on the account.
@Suite struct GenuineSessionTests {
    static let catalog = Catalog(
        bundleId: "com.loki-project.loki-messenger", appAppleId: 1_470_168_868,
        products: [
            "com.getsession.org.pro_sub": Product(
                type: .autoRenewable, subscriptionGroup: "pro", level: 1, entitlements: ["pro"]),
            "com.getsession.org.pro_sub_3_months": Product(
                type: .autoRenewable, subscriptionGroup: "pro", level: 1, entitlements: ["pro"]),
        ])
    static let folder = "vectors/apple-signed-sandbox/session"
    static let account = AccountID(UUID(uuid: (5, 5, 5, 5, 5, 5, 0x45, 5, 0x85, 5, 5, 5, 5, 5, 5, 5)))

    static func jws(_ name: String) throws -> String {
        String(try SharedFiles.text("\(folder)/\(name)").filter { !$0.isWhitespace })
    }

    @Test func aHeldClientIsAnsweredSoonAfterEachChange() async throws {
        try await withService(catalog: Self.catalog, clock: SystemClock(), loops: 2) { fixture in
            let path = "\(fixture.base)/accounts/\(Self.account)/entitlements?environment=Sandbox"
            let token = try fixture.deviceToken(Self.account)
            let pushed = try await fixture.client.send(
                "POST", "\(fixture.base)/accounts/\(Self.account)/transactions?environment=Sandbox", token: token,
                body: [
                    "signedTransactions": [
                        .string(try Self.jws("inner/05-SUBSCRIBED-RESUBSCRIBE.transaction.jws"))
                    ]
                ])
            #expect(pushed.json["results"]?.arrayValue?.first?.objectValue?["outcome"] == "recorded")
            var cursor = try #require(pushed.json["cursor"]?.stringValue)
            var delays: [Duration] = []
            for name in try SharedFiles.names(in: Self.folder) where name.hasSuffix(".jws") {
                let payload = try Self.jws(name)
                let held = Task { [cursor] in
                    let answer = try await fixture.client.send(
                        "GET", "\(path)&cursor=\(cursor)&wait=60", token: token)
                    return (answer, ContinuousClock.now)
                }
                while await fixture.service.heldPolls == 0 { await Task.yield() }
                let told = try await fixture.client.send(
                    "POST", "\(fixture.base)/notifications/appstore", body: ["signedPayload": .string(payload)])
                let committed = ContinuousClock.now
                #expect(told.status == 200 && told.json["outcome"] == "recorded", "\(name): \(told.json)")
                let (answer, answered) = try await held.value
                #expect(answer.status == 200)
                cursor = try #require(answer.json["cursor"]?.stringValue)
                delays.append(answered - committed)
            }
            // 100 ms is promised; a busy test machine is given more, the median still shows what is usual.
            #expect(delays.sorted()[delays.count / 2] < .milliseconds(100), "\(delays)")
            #expect(delays.allSatisfy { $0 < .seconds(2) }, "\(delays)")
        }
    }
}
