extension CachedSnapshot {
    /// Reads a snapshot as the service answers it. Nil when it lacks what answers need: then the client keeps what it had.
    public init?(snapshot: JSONObject) {
        guard let asOf = snapshot["asOf"]?.integerValue,
            let entries = snapshot["entitlements"]?.arrayValue,
            let offline = snapshot["offline"]?.objectValue,
            let grace = offline["graceMs"]?.integerValue, grace >= 0,
            let staleAccess = (offline["staleAccess"]?.stringValue).flatMap(Policies.StaleAccess.init)
        else { return nil }
        var entitlements: [String: CachedEntitlement] = [:]
        for entry in entries {
            guard let object = entry.objectValue, let id = object["id"]?.stringValue,
                let entitlement = CachedEntitlement(entry: object)
            else { return nil }
            entitlements[id] = entitlement
        }
        self.init(fetchedAt: asOf, offlineGrace: grace, staleAccess: staleAccess, entitlements: entitlements)
    }
}

extension CachedEntitlement {
    fileprivate init?(entry: JSONObject) {
        guard let intervals = entry["activeIntervals"]?.arrayValue else { return nil }
        var read: [Interval] = []
        for interval in intervals {
            guard let bounds = interval.arrayValue, bounds.count == 2, let start = bounds[0].integerValue else {
                return nil
            }
            guard bounds[1] == .null || bounds[1].integerValue != nil else { return nil }
            read.append(Interval(start, bounds[1].integerValue ?? Interval.forever))
        }
        self.init(
            intervals: read.union(), willRenew: entry["willRenew"]?.boolValue,
            endIsFinal: entry["endIsFinal"]?.boolValue ?? false)
    }
}
