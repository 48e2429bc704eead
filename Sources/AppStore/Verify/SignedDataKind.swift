public import Entitlements

/// What a signed object is. Nothing inside it says so (signed-data.md section 0): whoever receives it must know.
public enum SignedDataKind: String, Sendable, CaseIterable {
    /// JWSTransactionDecodedPayload.
    case transaction
    /// JWSRenewalInfoDecodedPayload.
    case renewalInfo
    /// ResponseBodyV2DecodedPayload.
    case notification
    /// JWSAppTransactionDecodedPayload.
    case appTransaction

    /// The kind whose own fields the payload has; nil when it has none. A transaction taken for renewal info would let
    /// anybody post the data of any app, since renewal info names no app (signed-data.md section 6.3).
    public static func recognized(in payload: JSONObject) -> SignedDataKind? {
        func has(_ names: String...) -> Bool {
            names.contains { name in payload[name].map { $0 != .null } ?? false }
        }
        if has("notificationType", "notificationUUID") { return .notification }
        if has("transactionId") { return .transaction }
        if has("receiptType", "receiptCreationDate") { return .appTransaction }
        if has("autoRenewStatus", "autoRenewProductId") { return .renewalInfo }
        return nil
    }
}
