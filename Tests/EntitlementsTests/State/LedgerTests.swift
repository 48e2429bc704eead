import Testing

@testable import Entitlements

/// Consumables are a ledger (rules.md R6).
@Suite("Ledger (R6)")
struct LedgerTests {
    private func catalogs(_ amount: Int64) -> CatalogHistory {
        let product = Product(type: .consumable, credits: .init(currency: "coins", amount: amount))
        return CatalogHistory(Catalog(bundleId: "com.example.app", products: ["coins": product]))
    }

    private func policies(_ debt: Policies.RefundDebt) -> Policies {
        var policies = Policies()
        policies.refundDebt = debt
        return policies
    }

    private func balances(
        _ ledger: [LedgerEntry], amount: Int64 = 100, debt: Policies.RefundDebt = .floor
    ) -> Balances {
        Balances(ledger: ledger, catalogs: catalogs(amount), policies: policies(debt))
    }

    private func credit(_ id: String, _ quantity: Int64 = 1) -> LedgerEntry {
        .credit(transactionId: id, productId: "coins", quantity: quantity, at: 0)
    }

    private func spend(_ amount: Int64, _ key: String = "k") -> LedgerEntry {
        .spend(Spend(currency: "coins", amount: amount, idempotencyKey: key), at: 0)
    }

    @Test(
        "A partial refund is rounded up",
        arguments: [(1 as Int64, 1 as Int64), (33_333, 34), (50_000, 50), (100_000, 100), (0, 0)])
    func partialRefund(percentage: Int64, takes: Int64) {
        let ledger = [credit("1"), .refund(transactionId: "1", percentage: percentage, at: 0)]
        #expect(balances(ledger).amounts == ["coins": 100 - takes])
    }

    @Test("Floor: a refund takes what is left and records the rest; a reversal gives back exactly that")
    func floor() {
        let spent = [credit("1"), spend(80), .refund(transactionId: "1", percentage: 100_000, at: 0)]
        #expect(balances(spent).amounts == ["coins": 0])
        #expect(balances(spent).shortfalls == ["coins": 80])
        #expect(balances(spent + [.reversal(transactionId: "1", at: 0)]).amounts == ["coins": 20])
    }

    @Test("Negative: a refund may leave a debt")
    func negative() {
        let ledger = [credit("1"), spend(80), .refund(transactionId: "1", percentage: 100_000, at: 0)]
        #expect(balances(ledger, debt: .negative).amounts == ["coins": -80])
    }

    @Test("Shortfalls of huge refunds end at the limit instead of ending the process")
    func hugeShortfalls() {
        let big = Int64.max / 1_000_000_000_000
        var ledger: [LedgerEntry] = []
        for id in ["1", "2", "3"] {
            ledger += [
                credit(id, big), spend(big * 1_000_000_000_000, id),
                .refund(transactionId: id, percentage: 100_000, at: 0),
            ]
        }
        #expect(balances(ledger, amount: 1_000_000_000_000).shortfalls == ["coins": .max])
    }

    @Test("What would overflow is refused in sight, not left out in silence")
    func faultsAreInSight() {
        let limit = Int64.max / 100
        let ledger = [credit("1", limit), credit("2"), credit("3", 0), spend(100), credit("4"), credit("5", -1)]
        var replay = LedgerReplay(catalogs: catalogs(100), policies: policies(.floor))
        let lines = ledger.map { replay.apply($0) }
        #expect(lines.map { $0?.fault } == [nil, .overflow, .invalidQuantity, nil, nil, .invalidQuantity])
        #expect(lines.map { $0?.change } == [limit * 100, 0, 0, -100, 100, 0])
        #expect(replay.balances.hasFaults)
        #expect(!balances([credit("1"), spend(50)]).hasFaults)
        // What was refused is neither taken back nor given again.
        #expect(replay.apply(.refund(transactionId: "2", percentage: 100_000, at: 0)) == nil)
        #expect(replay.apply(.reversal(transactionId: "2", at: 0)) == nil)
    }

    @Test("A debt beyond 64 bits is refused in sight")
    func debtOverflows() {
        let big: Int64 = 9_000_000_000_000_000_000
        var ledger: [LedgerEntry] = []
        for id in ["1", "2"] { ledger += [credit(id, big), spend(big, id)] }
        for id in ["1", "2"] { ledger.append(.refund(transactionId: id, percentage: 100_000, at: 0)) }
        let found = balances(ledger, amount: 1, debt: .negative)
        #expect(found.amounts == ["coins": -big])
        #expect(found.hasFaults)
    }

    /// The rules in numbers wide enough never to wrap.
    private func model(_ ledger: [LedgerEntry], amount: Int64, debt: Policies.RefundDebt) -> Int128 {
        var balance: Int128 = 0
        var credits: [String: (amount: Int128, taken: Int128)] = [:]
        func fits(_ value: Int128) -> Bool { value >= Int128(Int64.min) && value <= Int128(Int64.max) }
        for entry in ledger {
            switch entry {
            case .credit(let id, _, let quantity, _):
                let worth = Int128(amount) * Int128(quantity)
                guard quantity > 0, fits(worth), fits(balance + worth) else { continue }
                balance += worth
                credits[id] = (worth, 0)
            case .refund(let id, let percentage, _):
                guard let credit = credits[id] else { continue }
                let owed = (credit.amount * Int128(percentage) + 99_999) / 100_000
                let takes = debt == .floor ? min(owed, max(balance, 0)) : owed
                guard fits(balance - takes) else { continue }
                balance -= takes
                credits[id]?.taken = takes
            case .reversal(let id, _):
                guard let credit = credits[id], fits(balance + credit.taken) else { continue }
                balance += credit.taken
                credits[id]?.taken = 0
            case .spend(let spend, _):
                if fits(balance - Int128(spend.amount)) { balance -= Int128(spend.amount) }
            }
        }
        return balance
    }

    @Test("No random ledger wraps, however large its numbers", arguments: Policies.RefundDebt.allCases)
    func neverWraps(debt: Policies.RefundDebt) {
        for seed in 0..<2000 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let amount = Int64.random(in: 1...1_000_000_000_000, using: &random)
            var ledger: [LedgerEntry] = []
            for index in 0..<Int.random(in: 1...12, using: &random) {
                let id = "\(Int.random(in: 0...index, using: &random))"
                switch Int.random(in: 0..<5, using: &random) {
                case 0, 1: ledger.append(credit("\(index)", Int64.random(in: -1...20_000_000, using: &random)))
                case 2:
                    let percentage = Int64.random(in: 0...100_000, using: &random)
                    ledger.append(.refund(transactionId: id, percentage: percentage, at: 0))
                case 3: ledger.append(.reversal(transactionId: id, at: 0))
                default: ledger.append(spend(Int64.random(in: 1...Int64.max, using: &random), id))
                }
            }
            let found = balances(ledger, amount: amount, debt: debt).amounts["coins"] ?? 0
            guard Int128(found) == model(ledger, amount: amount, debt: debt) else {
                Issue.record("seed \(seed): \(found) is not what the rules give")
                return
            }
        }
    }
}
