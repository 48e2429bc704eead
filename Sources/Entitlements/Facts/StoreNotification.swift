/// A decoded `ResponseBodyV2DecodedPayload`, without the signed objects inside it. The type only names the entry in the
/// history; it never decides access (rules.md R1).
public struct StoreNotification: Sendable, Hashable {
    /// Everything outside the signed inner objects, unknown members included (rules.md R8).
    public let members: JSONObject
    /// Its identity: the same one again is a duplicate.
    public let notificationUUID: String
    /// Apple's type, kept as written.
    public let notificationType: String
    /// Apple's subtype, kept as written.
    public let subtype: String?
    /// When Apple signed it; absent in 2022.
    public let signedDate: Milliseconds?
    /// The app it is about, from whichever container it has.
    public let bundleId: String?
    /// The environment, from whichever container it has.
    public let environment: Environment?
    /// The subscription's status at `signedDate`, 1 to 5; for people, never for access.
    public let status: Int64?

    /// Containers that carry the app's identity, Apple's names (page *responseBodyV2DecodedPayload*).
    public static let containers = ["data", "summary", "externalPurchaseToken", "appData", "unclaimInfo"]
    private static let inner: Set<String> = [
        "signedTransactionInfo", "signedRenewalInfo", "signedAppTransactionInfo", "transaction", "renewalInfo",
    ]

    /// Reads a payload. Nil when it has no `notificationUUID`: then it cannot be told from its repetition.
    public init?(payload: JSONObject) {
        guard let uuid = payload["notificationUUID"]?.stringValue, !uuid.isEmpty else { return nil }
        notificationUUID = uuid
        notificationType = payload["notificationType"]?.stringValue ?? ""
        subtype = payload["subtype"]?.stringValue
        signedDate = payload["signedDate"].flatMap(SignedContent.date)
        var kept = payload.withoutNulls()
        let container = Self.container(of: payload)
        if let (name, object) = container { kept[name] = .object(object.withoutNulls().without(Self.inner)) }
        members = kept
        let identity = container?.1 ?? JSONObject()
        bundleId = identity["bundleId"]?.stringValue
        status = identity["status"]?.integerValue
        if let written = identity["environment"]?.stringValue {
            environment = Environment(rawValue: written)
        } else if let token = identity["externalPurchaseId"]?.stringValue {
            // This container has no environment; Apple's libraries read it off the id.
            environment = token.hasPrefix("SANDBOX") ? .sandbox : .production
        } else {
            environment = nil
        }
    }

    /// The members that say which app a payload is about, from whichever container it has.
    public static func identity(of payload: JSONObject) -> JSONObject? { container(of: payload)?.object }

    private static func container(of payload: JSONObject) -> (name: String, object: JSONObject)? {
        containers.lazy.compactMap { name in payload[name]?.objectValue.map { (name, $0) } }.first
    }

    /// Whether the signing date, where there is one, lies in 2000 to 2100 (rules.md R0).
    public var hasPlausibleDates: Bool { signedDate.map(Time.plausible.contains) ?? true }
}
