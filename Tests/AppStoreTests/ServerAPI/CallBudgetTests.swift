import AppStore
import Entitlements
import Testing

@Suite struct CallBudgetTests {
    @Test(arguments: ServerAPIEndpoint.allCases, [Environment.production, .sandbox])
    func anHourOfCallsStaysBelowTheLimitAndNearIt(_ endpoint: ServerAPIEndpoint, _ environment: Environment) {
        var budget = CallBudget()
        let limit = endpoint.callsPerHour(in: environment)
        var now: Milliseconds = 0
        var starts: [Milliseconds] = []
        while true {
            let start = budget.reserve(endpoint, in: environment, at: now)
            now = max(now, start)
            guard now < 7_200_000 else { break }
            starts.append(now)
        }
        // In any hour, not only in the first.
        var first = 0
        for (index, start) in starts.enumerated() {
            while starts[first] <= start - 3_600_000 { first += 1 }
            #expect(index - first + 1 <= limit)
        }
        #expect(Double(starts.count) >= 0.9 * 2 * Double(limit))
    }

    @Test func aPauseIsNoCreditForABurst() {
        var budget = CallBudget()
        _ = budget.reserve(.history, in: .production, at: 0)
        let after = (0..<60).map { _ in budget.reserve(.history, in: .production, at: 100_000) }
        #expect(after.filter { $0 < 101_000 }.count <= 50)
    }

    @Test func aBlockedEndpointWaitsAndTheOthersDoNot() {
        var budget = CallBudget()
        budget.block(.history, in: .production, until: 50_000)
        #expect(budget.reserve(.history, in: .production, at: 1000) == 50_000)
        #expect(budget.reserve(.history, in: .sandbox, at: 1000) == 1000)
        #expect(budget.reserve(.statuses, in: .production, at: 1000) == 1000)
    }
}
