import Entitlements
import Foundation
import Testing

/// The genuine notifications in any order, before and after the claim, before and after `kill -9`: the same answers.
@Suite(.serialized) struct GenuineOrderTests {
    enum Order: String, CaseIterable {
        case forward, backward, twice

        func arrange(_ list: [String]) -> [String] {
            switch self {
            case .forward: list
            case .backward: list.reversed()
            case .twice: list + list
            }
        }
    }

    @Test(arguments: Order.allCases, [true, false])
    func theAnswersAreTheSame(order: Order, claimsFirst: Bool) async throws {
        let dev = try DevProcess()
        defer { dev.end() }
        try dev.start()
        let app = GenuineSession.catalog.bundleId
        try await dev.apply(GenuineSession.catalog)
        let token = try await dev.deviceToken(GenuineSession.account, app: app)
        func claim() async throws {
            let answer = try await dev.client.send(
                "POST", "/v1/apps/\(app)/accounts/\(GenuineSession.account)/transactions?environment=Sandbox",
                token: token, body: ["signedTransactions": [.string(try GenuineSession.transaction())]])
            let result = try #require(answer.json["results"]?.arrayValue?.first?.objectValue)
            #expect(result["finish"] == true, "the genuine transaction is not taken: \(result)")
        }

        if claimsFirst { try await claim() }
        var outcomes: [String: Int] = [:]
        for payload in order.arrange(try GenuineSession.notifications()) {
            let answer = try await dev.notify(payload, app: app)
            #expect(answer.status == 200, "a genuine notification is refused: \(answer.json)")
            outcomes[answer.json["outcome"]?.stringValue ?? "none", default: 0] += 1
        }
        #expect(outcomes["duplicate"] ?? 0 == (order == .twice ? 14 : 0), "\(outcomes)")
        if !claimsFirst { try await claim() }

        try await checkAnswers(of: dev)
        dev.killService()
        try dev.start()
        try await checkAnswers(of: dev)
    }

    private func checkAnswers(of dev: DevProcess) async throws {
        let app = GenuineSession.catalog.bundleId
        for instant in GenuineSession.instants {
            let snapshot = try await dev.snapshot(of: GenuineSession.account, app: app, at: instant)
            #expect(snapshot.withoutVersion == (try GenuineSession.expected(at: instant)), "at \(instant)")
            let isHad = GenuineSession.intervals.contains { $0.contains(instant) }
            #expect(snapshot.active == (isHad ? ["pro"] : []), "at \(instant)")
        }
        // Where nothing of it has begun, all that is to come is told.
        let before = try await dev.snapshot(of: GenuineSession.account, app: app, at: GenuineSession.instants[0])
        #expect(before["pro"]?.activeIntervals == GenuineSession.intervals)
    }
}
