extension Snapshot {
    /// Writes the snapshot as api.md describes it.
    public func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("bundleId", bundleId)
            writer.member("environment", environment.rawValue)
            writer.member("account", account.description)
            writer.member("version", version)
            writer.member("asOf", asOf)
            writer.member("nextChangeAt", nextChangeAt)
            writer.name("entitlements")
            writer.array { writer in
                for entry in entitlements { entry.write(to: &writer) }
            }
            writer.name("balances")
            writer.object { writer in
                for (currency, amount) in balances.sorted(by: { $0.key < $1.key }) { writer.member(currency, amount) }
            }
            writer.member("needsReconciliation", needsReconciliation)
            writer.name("offline")
            writer.object { writer in
                writer.member("graceMs", offlineGrace)
                writer.member("staleAccess", staleAccess.rawValue)
            }
        }
    }

    /// The JSON text.
    public var json: [UInt8] {
        var writer = JSONWriter(capacity: 512 + entitlements.count * 768)
        write(to: &writer)
        return writer.bytes
    }
}

extension EntitlementEntry {
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", id)
            writer.member("isActive", isActive)
            writer.member("state", state.rawValue)
            writer.member("productId", productId)
            writer.member("productType", productType?.rawValue)
            writer.member("purchaseDate", purchaseDate)
            writer.member("originalPurchaseDate", originalPurchaseDate)
            writer.member("expiresDate", expiresDate)
            writer.member("gracePeriodExpiresDate", gracePeriodExpiresDate)
            writer.member("willRenew", willRenew)
            writer.member("nextProductId", nextProductId)
            writer.member("ownershipType", ownershipType?.rawValue)
            writer.member("offerType", offerType)
            writer.member("revocationDate", revocationDate)
            writer.member("transactionId", transactionId)
            writer.member("originalTransactionId", originalTransactionId)
            writer.name("sources")
            writer.array { writer in
                for source in sources { writer.string(source) }
            }
            writer.name("activeIntervals")
            writer.array { writer in
                for interval in activeIntervals { writer.interval(interval) }
            }
            writer.member("endIsFinal", endIsFinal)
        }
    }
}

extension JSONWriter {
    /// `[start, end]`; the end of what lasts for ever is null, and so is a start before all time.
    public mutating func interval(_ interval: Interval) {
        array { writer in
            if interval.start == .min { writer.null() } else { writer.integer(interval.start) }
            if interval.end == Interval.forever { writer.null() } else { writer.integer(interval.end) }
        }
    }
}
