import Entitlements

extension Act {
    /// The act as ``init(_:)`` reads it.
    var json: JSONObject {
        var fields = Fields()
        func order(_ name: String, _ order: Order) {
            fields.add("act", name)
            fields.add("customer", order.customer)
            fields.add("productId", order.product)
            fields.add("quantity", order.quantity)
            fields.add("appAccountToken", order.appAccountToken)
            fields.add("offerIdentifier", order.offer)
        }
        func target(_ name: String, _ target: PurchaseTarget) {
            fields.add("act", name)
            fields.add("transactionId", target.transactionId)
            fields.add("customer", target.customer)
            fields.add("productId", target.product)
        }
        func plain(_ name: String, _ members: (String, String?)...) {
            fields.add("act", name)
            for (name, value) in members { fields.add(name, value) }
        }
        switch self {
        case .buy(let what): order("buy", what)
        case .askToBuy(let what): order("askToBuy", what)
        case .redeemOffer(let what): order("redeemOffer", what)
        case .changePlan(let what): order("changePlan", what)
        case .approve(let request): plain("approve", ("request", request))
        case .decline(let request): plain("decline", ("request", request))
        case .setAutoRenew(let what, let isOn):
            target("setAutoRenew", what)
            fields.add("on", isOn)
        case .failBilling(let customer, let hasGrace):
            plain("failBilling", ("customer", customer))
            fields.add("grace", hasGrace)
        case .recoverBilling(let customer): plain("recoverBilling", ("customer", customer))
        case .priceIncrease(let product, let customer, let price, let needsConsent):
            plain("priceIncrease", ("productId", product), ("customer", customer))
            fields.add("price", price)
            fields.add("needsConsent", needsConsent)
        case .consent(let customer, let product, let agrees):
            plain("consent", ("customer", customer), ("productId", product))
            fields.add("agrees", agrees)
        case .refund(let what, let percentage, let reason):
            target("refund", what)
            fields.add("percentage", percentage)
            fields.add("reason", reason)
        case .reverseRefund(let what): target("reverseRefund", what)
        case .requestRefund(let what, let reason):
            target("requestRefund", what)
            fields.add("reason", reason)
        case .declineRefund(let what): target("declineRefund", what)
        case .shareWithFamily(let customer, let members):
            plain("shareWithFamily", ("customer", customer))
            fields.add("members", .array(members.map(JSONValue.string)))
        case .leaveFamily(let customer): plain("leaveFamily", ("customer", customer))
        case .stopSharing(let customer, let product):
            plain("stopSharing", ("customer", customer), ("productId", product))
        case .extend(let what, let days, let reason, let request):
            target("extend", what)
            fields.add("days", days)
            fields.add("reasonCode", reason)
            fields.add("requestIdentifier", request)
        case .setAppAccountToken(let lineage, let token):
            plain("setAppAccountToken", ("originalTransactionId", lineage), ("appAccountToken", token))
        case .withdrawProduct(let product): plain("withdrawProduct", ("productId", product))
        }
        return fields.object
    }
}
