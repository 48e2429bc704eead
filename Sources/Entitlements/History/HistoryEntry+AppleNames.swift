extension HistoryEntry.Kind {
    /// What one of Apple's notifications tells; nil for words that are not Apple's today (rules.md R8).
    init?(notificationType type: String, subtype: String?) {
        if let subtype, let known = Self.bySubtype["\(type)/\(subtype)"] {
            self = known
        } else if let known = Self.byType[type] {
            self = known
        } else {
            return nil
        }
    }

    /// Page *notificationType* of the App Store Server Notifications.
    private static let byType: [String: Self] = [
        "SUBSCRIBED": .initialPurchase, "DID_RENEW": .renewed, "ONE_TIME_CHARGE": .oneTimePurchase,
        "DID_CHANGE_RENEWAL_STATUS": .autoRenewDisabled, "DID_CHANGE_RENEWAL_PREF": .productChangeWithdrawn,
        "DID_FAIL_TO_RENEW": .billingIssue, "GRACE_PERIOD_EXPIRED": .graceEnded, "EXPIRED": .expired,
        "REFUND": .refunded, "REFUND_REVERSED": .refundReversed, "REFUND_DECLINED": .refundDeclined,
        "CONSUMPTION_REQUEST": .refundRequested, "REVOKE": .familyRevoked, "PRICE_INCREASE": .priceIncreasePending,
        "PRICE_CHANGE": .priceChanged, "RENEWAL_EXTENDED": .extended, "RENEWAL_EXTENSION": .extensionSummary,
        "OFFER_REDEEMED": .offerRedeemed, "METADATA_UPDATE": .metadataUpdated, "MIGRATION": .migrated,
        "MIGRATE": .migrated, "RESCIND_CONSENT": .consentRescinded, "EXTERNAL_PURCHASE_TOKEN": .externalPurchase,
        "UNCLAIM_SEATS": .seatsChanged, "TEST": .test,
    ]

    /// Page *subtype*, where it names another happening than the type alone.
    private static let bySubtype: [String: Self] = [
        "SUBSCRIBED/RESUBSCRIBE": .resubscribed, "DID_RENEW/BILLING_RECOVERY": .billingRecovered,
        "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED": .autoRenewEnabled,
        "DID_CHANGE_RENEWAL_PREF/UPGRADE": .productChanged,
        "DID_CHANGE_RENEWAL_PREF/DOWNGRADE": .productChangeScheduled,
        "DID_FAIL_TO_RENEW/GRACE_PERIOD": .graceStarted, "PRICE_INCREASE/ACCEPTED": .priceIncreaseAccepted,
        "RENEWAL_EXTENSION/FAILURE": .extensionFailed, "REFUND/SEATS": .seatsChanged,
    ]
}

extension StoreNotification {
    /// Apple's type and subtype as one word.
    var appleName: String { subtype.map { "\(notificationType)/\($0)" } ?? notificationType }

    /// Why, where Apple says more than the name tells.
    var reason: String? {
        switch notificationType {
        case "EXPIRED", "OFFER_REDEEMED": subtype?.lowercased()
        case "CONSUMPTION_REQUEST":
            members["data"]?.objectValue?["consumptionRequestReason"]?.stringValue?.lowercased()
        default: nil
        }
    }
}

extension Transaction {
    /// Why it was refunded or revoked, in Apple's words.
    var revocationWord: String? {
        guard revocationDate != nil else { return nil }
        if let type = content.text("revocationType") { return type.lowercased() }
        return content.integer("revocationReason").map { $0 == 1 ? "app_issue" : "other" }
    }

    /// Whether its revocation is the end of a family sharing rather than a refund.
    var isFamilyRevocation: Bool {
        revocationDate != nil
            && (ownership == .familyShared || content.text("revocationType") == "FAMILY_REVOKE")
    }
}
