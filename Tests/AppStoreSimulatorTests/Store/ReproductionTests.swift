import AppStoreSimulator
import Entitlements
import Testing

@Suite struct ReproductionTests {
    /// The same acts at the same times say the same, down to every number: a record can be played again.
    @Test func theSameActsSayTheSame() throws {
        func play() throws -> [Happening] {
            var driven = try DrivenStore()
            var news: [Happening] = []
            news += try driven.act(["act": "buy", "customer": "c1", "productId": "pro.monthly"])
            news += try driven.act(["act": "shareWithFamily", "customer": "c1", "members": ["m1", "m2"]])
            news += driven.pass(100 * day)
            news += try driven.act(["act": "refund", "customer": "c1"])
            return news
        }
        let first = try play()
        let second = try play()
        #expect(first == second && first.transactions.count > 10)
    }

    /// Many steps or one: what happens by itself is the same.
    @Test func timePassesInStepsAsInOne() throws {
        func play(step: Milliseconds) throws -> [Happening] {
            var driven = try DrivenStore()
            try driven.buy("pro.monthly", by: "c1")
            try driven.buy("pro.yearly", by: "c2")
            try driven.buy("news.monthly", by: "c3")
            try driven.act(["act": "failBilling", "customer": "c3", "grace": true])
            var news: [Happening] = []
            for _ in 0..<Int(400 * day / step) { news += driven.pass(step) }
            return news
        }
        #expect(try play(step: 400 * day) == play(step: day / 4))
    }
}
