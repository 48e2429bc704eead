import Entitlements

/// An error answer of the App Store Server API (server-api.md section 4). The first three digits are the HTTP status.
struct ServerAPIError: Error, Sendable, Hashable {
    let code: Int64
    let message: String

    var status: Int { Int(code / 10_000) }

    private init(_ code: Int64, _ message: String) {
        self.code = code
        self.message = message
    }

    static let badRequest = ServerAPIError(4_000_000, "Bad request.")
    static let invalidRevision = ServerAPIError(4_000_005, "Invalid revision.")
    static let invalidTransactionId = ServerAPIError(4_000_006, "Invalid transaction id.")
    static let invalidOriginalTransactionId = ServerAPIError(4_000_008, "Invalid original transaction id.")
    static let invalidExtendByDays = ServerAPIError(4_000_009, "Invalid extend by days value.")
    static let invalidExtendReason = ServerAPIError(4_000_010, "Invalid extend reason code.")
    static let invalidRequestIdentifier = ServerAPIError(4_000_011, "Invalid request identifier.")
    static let startDateTooOld = ServerAPIError(4_000_012, "The start date is earlier than the history reaches.")
    static let startDateAfterEnd = ServerAPIError(4_000_013, "The start date is after the end date.")
    static let invalidPaginationToken = ServerAPIError(4_000_014, "Invalid pagination token.")
    static let invalidStartDate = ServerAPIError(4_000_015, "Invalid start date.")
    static let invalidEndDate = ServerAPIError(4_000_016, "Invalid end date.")
    static let paginationTokenExpired = ServerAPIError(4_000_017, "The pagination token has expired.")
    static let invalidNotificationType = ServerAPIError(4_000_018, "Invalid notification type or subtype.")
    static let multipleFilters = ServerAPIError(4_000_019, "More than one filter: give one.")
    static let invalidTestToken = ServerAPIError(4_000_020, "Invalid test notification token.")
    static let invalidSort = ServerAPIError(4_000_021, "Invalid sort.")
    static let invalidProductType = ServerAPIError(4_000_022, "Invalid product type.")
    static let invalidProductId = ServerAPIError(4_000_023, "Invalid product id.")
    static let invalidGroup = ServerAPIError(4_000_024, "Invalid subscription group identifier.")
    static let invalidOwnership = ServerAPIError(4_000_026, "Invalid in-app ownership type.")
    static let emptyStorefronts = ServerAPIError(4_000_027, "The list of storefronts is empty.")
    static let invalidStorefront = ServerAPIError(4_000_028, "Invalid storefront country code.")
    static let invalidRevoked = ServerAPIError(4_000_030, "Invalid value of revoked.")
    static let invalidStatus = ServerAPIError(4_000_031, "Invalid status.")
    static let invalidConsent = ServerAPIError(4_000_035, "Invalid customer consent.")
    static let invalidDeliveryStatus = ServerAPIError(4_000_036, "Invalid delivery status.")
    static let invalidSampleContent = ServerAPIError(4_000_041, "Invalid value of sample content provided.")
    static let notConsumable = ServerAPIError(4_000_047, "Invalid request. The transaction is of another type.")
    static let appTransactionIdNotSupported = ServerAPIError(
        4_000_048, "Invalid request. An app transaction id is not supported here.")
    static let invalidAccountToken = ServerAPIError(
        4_000_183, "Invalid request. The app account token field must be a valid UUID.")
    static let familyShared = ServerAPIError(
        4_000_185, "Invalid request. Family Sharing transactions aren't supported by this endpoint.")
    static let notOriginal = ServerAPIError(
        4_000_187, "Invalid request. The transaction ID provided is not an original transaction ID.")
    static let notExtendable = ServerAPIError(
        4_030_004, "The subscription cannot be extended: it is not active, or in a free offer.")
    static let extendedTwice = ServerAPIError(4_030_005, "The subscription was extended twice within 365 days.")
    static let familyMemberNotExtendable = ServerAPIError(
        4_030_007, "A subscription shared by a family cannot be extended: extend the purchaser's.")
    static let originalTransactionIdNotFound = ServerAPIError(4_040_005, "Original transaction id not found.")
    static let noNotificationURL = ServerAPIError(4_040_007, "No notification URL is set for this app.")
    static let testNotificationNotFound = ServerAPIError(4_040_008, "Test notification not found.")
    static let extensionRequestNotFound = ServerAPIError(4_040_009, "Extension request not found.")
    static let transactionIdNotFound = ServerAPIError(4_040_010, "Transaction id not found.")
    static let noAppTransaction = ServerAPIError(4_040_019, "No AppTransaction exists for the customer.")
    static let rateLimit = ServerAPIError(4_290_000, "Rate limit exceeded.")

    /// Any code, for faults on demand.
    static func fault(_ code: Int64) -> ServerAPIError { ServerAPIError(code, "On demand of the test.") }
}
