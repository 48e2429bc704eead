/// A decoded `JWSRenewalInfoDecodedPayload`: what the store intends for a lineage. It names no app and no transaction.
public struct RenewalInfo: Sendable, Hashable {
    /// All members but the signing one, unknown ones included (rules.md R8).
    public let content: SignedContent
    /// When Apple signed this copy; nil counts as oldest (rules.md R1).
    public internal(set) var signedDate: Milliseconds?
    /// The lineage.
    public let originalTransactionId: String
    /// End of the grace period, while there is one (rules.md R3).
    public let gracePeriodExpiresDate: Milliseconds?
    /// Whether the store is still trying to charge.
    public let isInBillingRetryPeriod: Bool
    /// Whether it will renew; nil when not said.
    public let autoRenewStatus: Bool?
    /// The product of the next period.
    public let autoRenewProductId: String?

    /// Reads a payload. Nil when it does not name a lineage (rules.md R0 `malformed`).
    public init?(payload: JSONObject) {
        self.init(
            content: SignedContent(payload: payload), signedDate: payload["signedDate"].flatMap(SignedContent.date))
    }

    init?(content: SignedContent, signedDate: Milliseconds?) {
        guard let lineage = content.identifier("originalTransactionId") else { return nil }
        self.content = content
        self.signedDate = signedDate
        originalTransactionId = lineage
        gracePeriodExpiresDate = content.date("gracePeriodExpiresDate")
        isInBillingRetryPeriod = content.bool("isInBillingRetryPeriod") ?? false
        autoRenewProductId = content.text("autoRenewProductId")
        autoRenewStatus =
            switch content.integer("autoRenewStatus") {
            case 1: true
            case 0: false
            default: nil
            }
    }

    /// Whether every date that decides anything lies in 2000 to 2100 (rules.md R0).
    public var hasPlausibleDates: Bool {
        [signedDate, gracePeriodExpiresDate].allSatisfy { $0.map(Time.plausible.contains) ?? true }
    }

    /// Where it was signed; old payloads have none.
    public var environment: Environment? { content.text("environment").map(Environment.init) }
}
