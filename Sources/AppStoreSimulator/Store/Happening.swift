public import Entitlements

/// Something that happened in the store, as payloads that are still to be signed. All of one happening are signed at one
/// instant (notifications.md section 5).
public struct Happening: Sendable, Hashable {
    /// When everything in it is signed.
    public let signedAt: Milliseconds
    /// The transactions it is about.
    public internal(set) var statements: [Statement] = []
    /// What the App Store tells the app's server.
    public internal(set) var notifications: [Notification] = []
    /// Waits for a parent's word: the number for ``Act/approve(_:)`` and ``Act/decline(_:)``.
    public internal(set) var request: String?

    /// A transaction and, for subscriptions, the renewal info of its lineage.
    public struct Statement: Sendable, Hashable {
        /// Whose device has it.
        public let customer: String
        /// The transaction's payload.
        public let transaction: JSONObject
        /// The renewal info's payload.
        public let renewalInfo: JSONObject?
        /// The customer's order, as in the receipt the store mails.
        public let orderId: String
        /// Status of the lineage, 1 to 5.
        let status: Int64?
    }

    /// A notification (notifications.md section 2).
    public struct Notification: Sendable, Hashable {
        /// Its identity.
        public let notificationUUID: String
        /// Apple's type.
        public let type: String
        /// Apple's subtype.
        public let subtype: String?
        /// The place among ``Happening/statements`` of what it carries; nil when it carries no transaction.
        public let statement: Int?
        /// Why the customer wants a refund.
        let consumptionRequestReason: String?
        /// What stands in place of `data`.
        let summary: JSONObject?
    }
}
