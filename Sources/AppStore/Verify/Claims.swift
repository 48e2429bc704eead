import Entitlements

/// What a payload says of itself, read by its kind. Claims count only once the signature does.
struct Claims {
    let signedDate: Milliseconds?
    let environment: Environment?
    let bundleId: String?
    /// As it is written, of whatever type; nil when it is absent or null.
    let appAppleId: JSONValue?

    init(_ kind: SignedDataKind, _ payload: JSONObject) {
        switch kind {
        case .transaction, .renewalInfo:
            signedDate = payload["signedDate"].flatMap(SignedContent.date)
            environment = payload["environment"]?.stringValue.map(Environment.init)
            bundleId = payload["bundleId"]?.stringValue
            appAppleId = nil
        case .notification:
            let notification = StoreNotification(payload: payload)
            signedDate = payload["signedDate"].flatMap(SignedContent.date)
            environment = notification?.environment
            bundleId = notification?.bundleId
            appAppleId = Self.number(in: StoreNotification.identity(of: payload))
        case .appTransaction:
            // The receipt's words for the same things (signed-data.md section 4).
            signedDate = payload["receiptCreationDate"].flatMap(SignedContent.date)
            environment = payload["receiptType"]?.stringValue.map(Environment.init)
            bundleId = payload["bundleId"]?.stringValue
            appAppleId = Self.number(in: payload)
        }
    }

    private static func number(in owner: JSONObject?) -> JSONValue? {
        guard let number = owner?["appAppleId"], number != .null else { return nil }
        return number
    }
}
