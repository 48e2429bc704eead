/// Payloads repeat the same names and values millions of times: the known ones are stored as one byte.
private enum KnownText {
    /// Append only, and only with another format of states: the position is what is stored, and what was read is stored again as
    /// it was.
    static let texts: [String] = [
        "transactionId", "originalTransactionId", "webOrderLineItemId", "bundleId", "productId",
        "subscriptionGroupIdentifier", "purchaseDate", "originalPurchaseDate", "expiresDate", "quantity", "type",
        "appAccountToken", "inAppOwnershipType", "revocationDate", "revocationReason", "revocationType",
        "revocationPercentage", "isUpgraded", "offerType", "offerIdentifier", "offerDiscountType", "offerPeriod",
        "environment", "storefront", "storefrontId", "transactionReason", "additionalTransactionReason", "currency",
        "price", "appTransactionId", "previousOriginalTransactionId", "billingPlanType", "commitmentInfo",
        "advancedCommerceInfo", "multiSeatInfo", "autoRenewProductId", "autoRenewStatus", "expirationIntent",
        "isInBillingRetryPeriod", "gracePeriodExpiresDate", "priceIncreaseStatus", "recentSubscriptionStartDate",
        "renewalDate", "renewalPrice", "eligibleWinBackOfferIds", "renewalBillingPlanType", "renewalQuantity",
        "Auto-Renewable Subscription", "Non-Consumable", "Consumable", "Non-Renewing Subscription", "PURCHASED",
        "FAMILY_SHARED", "Production", "Sandbox", "Xcode", "PURCHASE", "RENEWAL", "USD", "EUR", "USA",
    ]
    static let numbers: [String: UInt64] = Dictionary(
        uniqueKeysWithValues: zip(texts, UInt64(1)...))
}

extension ByteWriter {
    /// A text that may be a known one.
    mutating func frequentText(_ value: String) {
        if let number = KnownText.numbers[value] {
            unsigned(number)
        } else {
            unsigned(0)
            text(value)
        }
    }

    mutating func content(_ content: SignedContent) { object(content.members) }

    /// Content whose bytes are known.
    mutating func content(stored: [UInt8]) { raw(stored) }

    private mutating func object(_ object: JSONObject) {
        list(object.members) { writer, member in
            writer.frequentText(member.name)
            writer.value(member.value)
        }
    }

    private mutating func value(_ value: JSONValue) {
        switch value {
        case .null: byte(0)
        case .bool(false): byte(1)
        case .bool(true): byte(2)
        case .integer(let integer):
            byte(3)
            self.integer(integer)
        case .number(let number):
            byte(4)
            text(number.text)
        case .string(let text):
            byte(5)
            frequentText(text)
        case .array(let elements):
            byte(6)
            list(elements) { $0.value($1) }
        case .object(let object):
            byte(7)
            self.object(object)
        }
    }
}

extension SignedContent {
    /// Its bytes in a stored state.
    var stored: [UInt8] {
        var writer = ByteWriter()
        writer.content(self)
        return writer.bytes
    }
}

extension ByteReader {
    mutating func frequentText() throws(StateCodingError) -> String {
        let number = try unsigned()
        if number == 0 { return try text() }
        guard number <= KnownText.texts.count else { throw error(.invalidValue) }
        return KnownText.texts[Int(number) - 1]
    }

    mutating func content() throws(StateCodingError) -> SignedContent { SignedContent(members: try object(depth: 0)) }

    private mutating func object(depth: Int) throws(StateCodingError) -> JSONObject {
        guard depth < 64 else { throw error(.invalidValue) }
        return JSONObject(
            unique: try list { (reader) throws(StateCodingError) in
                JSONObject.Member(name: try reader.frequentText(), value: try reader.value(depth: depth))
            })
    }

    private mutating func value(depth: Int) throws(StateCodingError) -> JSONValue {
        switch try byte() {
        case 0: return .null
        case 1: return .bool(false)
        case 2: return .bool(true)
        case 3: return .integer(try integer())
        case 4:
            let text = try text()
            guard let value = Double(text) else { throw error(.invalidValue) }
            return .number(JSONNumber(text: text, value: value))
        case 5: return .string(try frequentText())
        case 6:
            guard depth < 64 else { throw error(.invalidValue) }
            return .array(try list { (reader) throws(StateCodingError) in try reader.value(depth: depth + 1) })
        case 7: return .object(try object(depth: depth + 1))
        default: throw error(.invalidValue)
        }
    }
}
