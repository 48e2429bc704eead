extension Snapshot {
    /// Reads a snapshot as the public surface has it. Nil when a member that an answer needs is missing or of the wrong
    /// kind. Unknown members are passed over, and unknown words get their careful meaning (rules.md R8).
    public init?(json: JSONObject) {
        guard let bundleId = json["bundleId"]?.stringValue, let environment = json["environment"]?.stringValue,
            let account = json["account"]?.stringValue.flatMap(AccountID.init),
            let version = json["version"]?.integerValue, version >= 0, let asOf = json["asOf"]?.integerValue,
            let entries = json["entitlements"]?.arrayValue, let offline = json["offline"]?.objectValue,
            let grace = offline["graceMs"]?.integerValue, grace >= 0
        else { return nil }
        var entitlements: [EntitlementEntry] = []
        for entry in entries {
            guard let entry = entry.objectValue.flatMap(EntitlementEntry.init(json:)) else { return nil }
            entitlements.append(entry)
        }
        var balances: [String: Int64] = [:]
        for member in json["balances"]?.objectValue?.members ?? [] {
            guard let amount = member.value.integerValue else { return nil }
            balances[member.name] = amount
        }
        self.init(
            bundleId: bundleId, environment: Environment(rawValue: environment), account: account, version: version,
            asOf: asOf, nextChangeAt: json["nextChangeAt"]?.integerValue, entitlements: entitlements,
            balances: balances, needsReconciliation: json["needsReconciliation"]?.boolValue ?? false,
            offlineGrace: grace,
            staleAccess: offline["staleAccess"]?.stringValue.flatMap(Policies.StaleAccess.init) ?? .keep)
    }
}

extension EntitlementEntry {
    init?(json: JSONObject) {
        guard let id = json["id"]?.stringValue, let isActive = json["isActive"]?.boolValue,
            let transactionId = json["transactionId"]?.stringValue, let intervals = json["activeIntervals"]?.arrayValue
        else { return nil }
        var activeIntervals: [Interval] = []
        for interval in intervals {
            guard let interval = Interval(json: interval) else { return nil }
            activeIntervals.append(interval)
        }
        self.init(
            id: id, isActive: isActive,
            // A word of a later version still says whether it gives access.
            state: json["state"]?.stringValue.flatMap(State.init) ?? (isActive ? .active : .expired),
            productId: json["productId"]?.stringValue,
            productType: json["productType"]?.stringValue.map(ProductType.init(rawValue:)),
            purchaseDate: json["purchaseDate"]?.integerValue ?? 0,
            originalPurchaseDate: json["originalPurchaseDate"]?.integerValue,
            expiresDate: json["expiresDate"]?.integerValue,
            gracePeriodExpiresDate: json["gracePeriodExpiresDate"]?.integerValue,
            willRenew: json["willRenew"]?.boolValue, nextProductId: json["nextProductId"]?.stringValue,
            ownershipType: json["ownershipType"]?.stringValue.map(Ownership.init(rawValue:)),
            offerType: json["offerType"]?.integerValue, revocationDate: json["revocationDate"]?.integerValue,
            transactionId: transactionId, originalTransactionId: json["originalTransactionId"]?.stringValue,
            sources: json["sources"]?.arrayValue?.compactMap(\.stringValue) ?? [], activeIntervals: activeIntervals,
            endIsFinal: json["endIsFinal"]?.boolValue ?? false)
    }
}

extension Interval {
    /// Reads `[start, end]`, where null stands for no end.
    init?(json: JSONValue) {
        guard let bounds = json.arrayValue, bounds.count == 2, let start = bounds[0].integerValue else { return nil }
        switch bounds[1] {
        case .null: self.init(start, Interval.forever)
        case .integer(let end): self.init(start, end)
        default: return nil
        }
    }
}
