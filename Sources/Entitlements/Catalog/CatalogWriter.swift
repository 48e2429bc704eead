extension Catalog {
    /// The catalog as its file says it; reading that gives the same catalog back.
    public var json: JSONObject {
        var object: JSONObject = ["bundleId": .string(bundleId)]
        if let appAppleId { object["appAppleId"] = .integer(appAppleId) }
        let sorted = products.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        object["products"] = .object(JSONObject(sorted.map { ($0.key, .object($0.value.json)) }))
        object["policies"] = .object(policies.json)
        return object
    }
}

extension Product {
    /// The product as the catalog file says it.
    public var json: JSONObject {
        var object: JSONObject = ["type": .string(type.rawValue)]
        if let subscriptionGroup { object["subscriptionGroup"] = .string(subscriptionGroup) }
        if level != 0 { object["level"] = .integer(level) }
        if !entitlements.isEmpty { object["entitlements"] = .array(entitlements.map(JSONValue.string)) }
        if let credits {
            object["credits"] = ["currency": .string(credits.currency), "amount": .integer(credits.amount)]
        }
        if let duration {
            object["duration"] = .string(duration.text)
            object["stacking"] = .string(stacking.rawValue)
        }
        return object
    }
}

extension Policies {
    /// The policies as the catalog file says them.
    public var json: JSONObject {
        [
            "honorGracePeriod": .bool(honorGracePeriod),
            "refundDebt": .string(refundDebt.rawValue),
            "transfer": .string(transfer.rawValue),
            "transferLimit": .integer(transferLimit),
            "offlineGrace": .string(CalendarDuration(milliseconds: offlineGrace).text),
            "staleAccess": .string(staleAccess.rawValue),
        ]
    }
}
