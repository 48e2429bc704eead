public import Entitlements

extension Act {
    /// Reads an act: `{"act":"buy","customer":"c1","productId":"pro.m"}`. Throws ``ActRefusal`` of code `malformed`.
    public init(_ object: JSONObject) throws(ActRefusal) {
        var members = ActMembers(object)
        let name = try members.text("act")
        switch name {
        case "buy": self = .buy(try members.order())
        case "askToBuy": self = .askToBuy(try members.order())
        case "approve": self = .approve(try members.text("request"))
        case "decline": self = .decline(try members.text("request"))
        case "redeemOffer": self = .redeemOffer(try members.order())
        case "changePlan": self = .changePlan(try members.order())
        case "setAutoRenew": self = .setAutoRenew(try members.target(), isOn: try members.bool("on"))
        case "failBilling":
            self = .failBilling(
                customer: try members.text("customer"), hasGrace: try members.bool("grace", orElse: false))
        case "recoverBilling": self = .recoverBilling(customer: try members.text("customer"))
        case "priceIncrease":
            self = .priceIncrease(
                product: try members.text("productId"), customer: try members.optionalText("customer"),
                price: try members.integer("price", 0...1_000_000_000_000),
                needsConsent: try members.bool("needsConsent", orElse: true))
        case "consent":
            self = .consent(
                customer: try members.text("customer"), product: try members.optionalText("productId"),
                agrees: try members.bool("agrees", orElse: true))
        case "refund":
            self = .refund(
                try members.target(), percentage: try members.percentage(),
                reason: try members.integer("reason", 0...1) ?? 0)
        case "reverseRefund": self = .reverseRefund(try members.target())
        case "requestRefund":
            self = .requestRefund(
                try members.target(),
                reason: try members.word("reason", Act.refundReasons) ?? "UNINTENDED_PURCHASE")
        case "declineRefund": self = .declineRefund(try members.target())
        case "shareWithFamily":
            self = .shareWithFamily(customer: try members.text("customer"), members: try members.names("members"))
        case "leaveFamily": self = .leaveFamily(customer: try members.text("customer"))
        case "stopSharing":
            self = .stopSharing(
                customer: try members.text("customer"), product: try members.optionalText("productId"))
        case "extend":
            self = .extend(
                try members.target(), days: try members.requiredInteger("days", 1...90),
                reason: try members.integer("reasonCode", 0...3) ?? 0,
                request: try members.optionalText("requestIdentifier") ?? "extension")
        case "setAppAccountToken":
            self = .setAppAccountToken(
                originalTransactionId: try members.text("originalTransactionId"),
                token: try members.text("appAccountToken"))
        case "withdrawProduct": self = .withdrawProduct(try members.text("productId"))
        default:
            throw ActRefusal(
                .malformed, "there is no act \"\(name)\"; there are \(Act.names.joined(separator: ", "))")
        }
        try members.finish()
    }

    /// The names of all acts.
    public static let names = [
        "buy", "askToBuy", "approve", "decline", "redeemOffer", "setAutoRenew", "changePlan", "failBilling",
        "recoverBilling", "priceIncrease", "consent", "refund", "reverseRefund", "requestRefund", "declineRefund",
        "shareWithFamily", "leaveFamily", "stopSharing", "extend", "setAppAccountToken", "withdrawProduct",
    ]

    /// Apple's words for why a customer wants a refund.
    static let refundReasons = [
        "UNINTENDED_PURCHASE", "FULFILLMENT_ISSUE", "UNSATISFIED_WITH_PURCHASE", "LEGAL", "OTHER",
    ]
}

/// The members of an act, taken out one by one; what is left over is a mistake.
private struct ActMembers {
    private var object: JSONObject

    init(_ object: JSONObject) { self.object = object.withoutNulls() }

    private mutating func take(_ name: String) -> JSONValue? {
        defer { object[name] = nil }
        return object[name]
    }

    private func wrong(_ name: String, _ expected: String) -> ActRefusal {
        ActRefusal(.malformed, "\"\(name)\" must be \(expected)")
    }

    mutating func optionalText(_ name: String) throws(ActRefusal) -> String? {
        guard let value = take(name) else { return nil }
        return try text(value, name)
    }

    mutating func text(_ name: String) throws(ActRefusal) -> String {
        guard let value = take(name) else { throw ActRefusal(.malformed, "\"\(name)\" is missing") }
        return try text(value, name)
    }

    private func text(_ value: JSONValue, _ name: String) throws(ActRefusal) -> String {
        guard let text = value.stringValue, 1...256 ~= text.utf8.count, text.utf8.allSatisfy({ $0 >= 0x20 }) else {
            throw wrong(name, "a text of 1 to 256 bytes")
        }
        return text
    }

    mutating func word(_ name: String, _ words: [String]) throws(ActRefusal) -> String? {
        guard let text = try optionalText(name) else { return nil }
        guard words.contains(text) else { throw wrong(name, "one of \(words.joined(separator: ", "))") }
        return text
    }

    mutating func bool(_ name: String, orElse standard: Bool? = nil) throws(ActRefusal) -> Bool {
        guard let value = take(name) else {
            guard let standard else { throw wrong(name, "true or false, and is missing") }
            return standard
        }
        guard let bool = value.boolValue else { throw wrong(name, "true or false") }
        return bool
    }

    mutating func integer(_ name: String, _ range: ClosedRange<Int64>) throws(ActRefusal) -> Int64? {
        guard let value = take(name) else { return nil }
        guard let integer = value.integerValue, range ~= integer else {
            throw wrong(name, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return integer
    }

    mutating func requiredInteger(_ name: String, _ range: ClosedRange<Int64>) throws(ActRefusal) -> Int64 {
        guard let integer = try integer(name, range) else {
            throw wrong(name, "a whole number from \(range.lowerBound) to \(range.upperBound), and is missing")
        }
        return integer
    }

    /// Percent up to 100, thousandths of a percent above that, as Apple's `revocationPercentage`.
    mutating func percentage() throws(ActRefusal) -> Int64? {
        guard let share = try integer("percentage", 1...100_000) else { return nil }
        return share <= 100 ? share * 1000 : share
    }

    mutating func names(_ name: String) throws(ActRefusal) -> [String] {
        guard let values = take(name)?.arrayValue, 1...64 ~= values.count else {
            throw wrong(name, "a list of names")
        }
        var names: [String] = []
        for value in values { names.append(try text(value, name)) }
        return names
    }

    mutating func order() throws(ActRefusal) -> Order {
        let token = try optionalText("appAccountToken")
        if let token, AccountID(token) == nil { throw wrong("appAccountToken", "a UUID other than zero") }
        return Order(
            customer: try text("customer"), product: try text("productId"),
            quantity: try integer("quantity", 1...1000) ?? 1, appAccountToken: token.map { $0.lowercased() },
            offer: try optionalText("offerIdentifier"))
    }

    mutating func target() throws(ActRefusal) -> PurchaseTarget {
        let id = try optionalText("transactionId")
        let lineage = try optionalText("originalTransactionId")
        let target = PurchaseTarget(
            transactionId: id ?? lineage, customer: try optionalText("customer"),
            product: try optionalText("productId"))
        guard target.transactionId != nil || target.customer != nil else {
            throw ActRefusal(.malformed, "name a \"transactionId\", or a \"customer\" and perhaps a \"productId\"")
        }
        return target
    }

    func finish() throws(ActRefusal) {
        guard let name = object.names.first else { return }
        throw ActRefusal(.malformed, "this act has no member \"\(name)\"")
    }
}
