/// Apple's documented fields (signed-data.md sections 1 to 4).
enum PayloadTables {
    static func fields(of kind: SignedDataKind) -> [PayloadField] {
        switch kind {
        case .transaction: transaction
        case .renewalInfo: renewalInfo
        case .notification: notification
        case .appTransaction: appTransaction
        }
    }

    private static let transaction = table(
        string: """
            transactionId originalTransactionId webOrderLineItemId bundleId productId subscriptionGroupIdentifier type \
            appAccountToken inAppOwnershipType revocationType offerIdentifier offerDiscountType offerPeriod environment \
            storefront storefrontId transactionReason additionalTransactionReason currency appTransactionId \
            previousOriginalTransactionId billingPlanType deviceVerification deviceVerificationNonce
            """,
        integer: "quantity revocationReason revocationPercentage offerType price",
        date: "purchaseDate originalPurchaseDate expiresDate signedDate revocationDate",
        bool: "isUpgraded",
        object: "commitmentInfo advancedCommerceInfo multiSeatInfo")

    private static let renewalInfo = table(
        string: """
            originalTransactionId productId autoRenewProductId environment offerIdentifier offerDiscountType offerPeriod \
            currency appAccountToken appTransactionId renewalBillingPlanType deviceVerification deviceVerificationNonce
            """,
        integer: """
            autoRenewStatus expirationIntent priceIncreaseStatus offerType renewalPrice renewalQuantity
            """,
        date: "signedDate gracePeriodExpiresDate recentSubscriptionStartDate renewalDate",
        bool: "isInBillingRetryPeriod",
        object: "advancedCommerceInfo commitmentInfo multiSeatInfo",
        array: "eligibleWinBackOfferIds")

    private static let notification = table(
        string: "notificationType subtype notificationUUID version", date: "signedDate",
        object: "data summary externalPurchaseToken appData unclaimInfo")

    private static let appTransaction = table(
        string: """
            receiptType bundleId applicationVersion originalApplicationVersion deviceVerification \
            deviceVerificationNonce appTransactionId originalPlatform
            """,
        integer: "appAppleId versionExternalIdentifier",
        date: "receiptCreationDate originalPurchaseDate preorderDate")

    /// Objects inside the payloads whose fields are documented here; others are shown as they are.
    static let nested: [String: [PayloadField]] = [
        "data": table(
            string: """
                environment bundleId bundleVersion signedTransactionInfo signedRenewalInfo consumptionRequestReason
                """,
            integer: "appAppleId status"),
        "summary": table(
            string: "requestIdentifier environment bundleId productId",
            integer: "appAppleId succeededCount failedCount",
            array: "storefrontCountryCodes"),
        "externalPurchaseToken": table(
            string: "externalPurchaseId bundleId tokenType", integer: "appAppleId",
            date: "tokenCreationDate tokenExpirationDate"),
        "appData": table(string: "bundleId environment signedAppTransactionInfo", integer: "appAppleId"),
        "unclaimInfo": table(array: "unclaimSeatIds"),
        "commitmentInfo": table(
            string: """
                commitmentAutoRenewProductId commitmentRenewalBillingPlanType
                """,
            integer: """
                billingPeriodNumber totalBillingPeriods commitmentPrice commitmentAutoRenewStatus commitmentRenewalPrice
                """,
            date: "commitmentExpiresDate commitmentRenewalDate"),
    ]

    private static func table(
        string: String = "", integer: String = "", date: String = "", bool: String = "", object: String = "",
        array: String = ""
    ) -> [PayloadField] {
        let columns: [(String, PayloadField.Form)] = [
            (string, .string), (integer, .integer), (date, .date), (bool, .bool), (object, .object), (array, .array),
        ]
        return columns.flatMap { names, form in
            names.split(separator: " ").map { PayloadField(name: String($0), form: form) }
        }
    }
}
