import Entitlements

/// Makes the signed objects of a few lineages: what a store could have said, in any order it could be heard.
struct RandomFacts {
    /// A signed object, decoded.
    enum Fact {
        case transaction(JSONObject)
        case renewalInfo(JSONObject)

        var payload: JSONObject {
            switch self {
            case .transaction(let payload), .renewalInfo(let payload): payload
            }
        }
    }

    static let day = Time.day
    static let origin: Milliseconds = 1_777_629_600_000
    static let accounts = ["a1", "a2", "a3"].map { name -> AccountID in
        // A UUID's text by construction.
        AccountID("\(name)\(name)\(name)\(name)-0000-4000-8000-00000000000a") ?? .nobody
    }
    /// A token of somebody who never shows up.
    static let stranger = "dddddddd-0000-4000-8000-00000000000d"

    var random: SeededGenerator
    private(set) var facts: [Fact] = []
    private var nextId = 1000

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &random) < probability }

    mutating func days(_ range: ClosedRange<Int>) -> Milliseconds {
        Int64(range.randomElement(using: &random) ?? 0) * Self.day
    }

    private mutating func newId() -> String {
        nextId += Int.random(in: 1...3, using: &random)
        return "2000000000\(nextId)"
    }

    /// All lineages of one history.
    static func make(seed: UInt64, environment: String = "Production", onlyOneToken: Bool = false) -> [Fact] {
        var maker = RandomFacts(seed: seed)
        for _ in 0..<Int.random(in: 1...3, using: &maker.random) {
            switch Int.random(in: 0..<10, using: &maker.random) {
            case 0...5: maker.addSubscription(environment, onlyOneToken: onlyOneToken)
            case 6: maker.addSingle("life", "Non-Consumable", environment)
            case 7: maker.addPasses(environment)
            default: maker.addSingle("coins100", "Consumable", environment)
            }
        }
        return maker.facts
    }

    private mutating func token() -> String? {
        switch Int.random(in: 0..<10, using: &random) {
        case 0...3: Self.accounts[0].description
        case 4...5: Self.accounts[1].description.uppercased()
        case 6: Self.stranger
        default: nil
        }
    }

    private mutating func addSubscription(_ environment: String, onlyOneToken: Bool) {
        let original = newId()
        let isShared = chance(0.15)
        let steadyToken = isShared ? nil : token()
        var start = Self.origin + days(0...20)
        var id = original
        var product = ["pro.m", "plus.m"].randomElement(using: &random) ?? "pro.m"
        for period in 0..<Int.random(in: 1...4, using: &random) {
            var token = steadyToken
            if !onlyOneToken, !isShared, period > 0, chance(0.25) { token = self.token() }
            let end = start + 30 * Self.day
            var payload = transaction(id, original, product, "Auto-Renewable Subscription", start, environment)
            payload["expiresDate"] = .integer(end)
            payload["appAccountToken"] = token.map(JSONValue.string)
            if isShared { payload["inAppOwnershipType"] = "FAMILY_SHARED" }
            if period > 0 { payload["transactionReason"] = "RENEWAL" }
            if chance(0.05) { payload["additionalTransactionReason"] = "SEAT_ADDITION" }
            addCopies(of: payload, from: start, to: end)
            // What comes next: a renewal on time, an upgrade in the middle, or a return after a lapse.
            let way = Int.random(in: 0..<10, using: &random)
            if way < 3 {
                start += days(1...29)
                if chance(0.7) { payload["isUpgraded"] = true }
                add(payload, signed: start + Int64.random(in: 0...5000, using: &random))
                product = product == "pro.m" ? "pro.y" : "pro.m"
            } else {
                start = way < 8 ? end : end + days(1...70)
            }
            id = newId()
        }
        addRenewalInfos(original, product, around: start, environment)
    }

    private mutating func addRenewalInfos(
        _ original: String, _ product: String, around start: Milliseconds, _ environment: String
    ) {
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            var payload: JSONObject = [
                "originalTransactionId": .string(original), "productId": .string(product),
                "autoRenewProductId": .string(chance(0.8) ? product : "pro.y"),
                "autoRenewStatus": .integer(chance(0.7) ? 1 : 0), "environment": .string(environment),
            ]
            if chance(0.4) {
                payload["isInBillingRetryPeriod"] = .bool(chance(0.8))
                if chance(0.6) { payload["gracePeriodExpiresDate"] = .integer(start + days(-10...20)) }
            }
            payload["signedDate"] = .integer(start + days(-40...10))
            facts.append(.renewalInfo(payload))
            if chance(0.2) { facts.append(.renewalInfo(payload)) }
        }
    }

    private mutating func addPasses(_ environment: String) {
        let product = chance(0.5) ? "pass30" : "pass1m"
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let id = newId()
            let start = Self.origin + days(0...40)
            var payload = transaction(id, id, product, "Non-Renewing Subscription", start, environment)
            payload["quantity"] = .integer(chance(0.2) ? 2 : 1)
            payload["appAccountToken"] = token().map(JSONValue.string)
            addCopies(of: payload, from: start, to: start + 60 * Self.day)
        }
    }

    private mutating func addSingle(_ product: String, _ type: String, _ environment: String) {
        let id = newId()
        let start = Self.origin + days(0...40)
        var payload = transaction(id, id, product, type, start, environment)
        if chance(0.3) { payload["quantity"] = .integer(Int64.random(in: 1...4, using: &random)) }
        payload["appAccountToken"] = token().map(JSONValue.string)
        if chance(0.1), type == "Non-Consumable" { payload["inAppOwnershipType"] = "FAMILY_SHARED" }
        addCopies(of: payload, from: start, to: start + 60 * Self.day)
    }

    private func transaction(
        _ id: String, _ original: String, _ product: String, _ type: String, _ start: Milliseconds,
        _ environment: String
    ) -> JSONObject {
        [
            "transactionId": .string(id), "originalTransactionId": .string(original), "bundleId": "com.example.app",
            "productId": .string(product), "type": .string(type), "purchaseDate": .integer(start),
            "originalPurchaseDate": .integer(start), "inAppOwnershipType": "PURCHASED",
            "environment": .string(environment),
        ]
    }

    /// The first copy, and now and then a refund, its reversal, an extension, or the same words signed again.
    private mutating func addCopies(of payload: JSONObject, from start: Milliseconds, to end: Milliseconds) {
        add(payload, signed: start + 2000)
        if chance(0.2) { add(payload, signed: start + days(0...20)) }
        var latest = payload
        if chance(0.15), payload["expiresDate"] != nil {
            latest["expiresDate"] = .integer(end + days(1...10))
            add(latest, signed: start + days(1...25))
        }
        guard chance(0.3) else { return }
        // At the instant of the purchase now and then, and of the copy before.
        let refunded = chance(0.1) ? start : start + days(0...35)
        var refund = latest
        refund["revocationDate"] = .integer(refunded)
        refund["revocationReason"] = 0
        if chance(0.4) { refund["revocationPercentage"] = .integer(Int64.random(in: 0...100_000, using: &random)) }
        add(refund, signed: chance(0.1) ? start + 2000 : refunded + 5000)
        if chance(0.3) { add(latest, signed: refunded + days(0...10)) }
    }

    private mutating func add(_ payload: JSONObject, signed: Milliseconds) {
        var payload = payload
        if !chance(0.03) { payload["signedDate"] = .integer(signed) }
        facts.append(.transaction(payload))
    }
}
