import Entitlements

/// A signed object inside a notification's container.
struct InnerObject {
    /// The field that holds it.
    let name: String
    let kind: SignedDataKind
    let value: JSONValue

    private static let fields: [(name: String, kind: SignedDataKind)] = [
        ("signedTransactionInfo", .transaction), ("signedRenewalInfo", .renewalInfo),
        ("signedAppTransactionInfo", .appTransaction),
    ]

    /// All of them, in whichever container they are; absent and null ones are left out.
    static func all(in payload: JSONObject) -> [InnerObject] {
        StoreNotification.containers.flatMap { container -> [InnerObject] in
            guard let object = payload[container]?.objectValue else { return [] }
            return fields.compactMap { field in
                object[field.name].flatMap {
                    $0 == .null ? nil : InnerObject(name: field.name, kind: field.kind, value: $0)
                }
            }
        }
    }
}
