import Testing

@testable import Entitlements

@Suite struct PeriodOrderTests {
    private func period(_ id: Int, _ purchase: Milliseconds?) throws -> Transaction {
        var payload: JSONObject = [
            "transactionId": .string("\(id)"), "originalTransactionId": "1", "type": "Auto-Renewable Subscription",
        ]
        if let purchase { payload["purchaseDate"] = .integer(purchase) }
        return try #require(Transaction(payload: payload))
    }

    @Test func theLastPeriodIsThatOfAPlainSearch() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        var order = PeriodOrder()
        var known: [Int: Milliseconds] = [:]
        for _ in 0..<400 {
            let id = Int.random(in: 1...60, using: &generator)
            let purchase = Bool.random(using: &generator) ? Milliseconds.random(in: 0...50, using: &generator) : nil
            order.put(try period(id, purchase))
            known[id] = purchase
            let instant = Milliseconds.random(in: 0...60, using: &generator)
            let wanted = known.filter { $0.value < instant }.max { ($0.value, $0.key) < ($1.value, $1.key) }
            #expect(order.last(before: instant) == wanted.map { "\($0.key)" }, "seed \(seed)")
        }
    }
}
