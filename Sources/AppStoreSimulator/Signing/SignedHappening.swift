public import Entitlements
import Signatures

/// A happening with everything signed.
public struct SignedHappening: Sendable, Hashable {
    /// When it was signed.
    public let signedAt: Milliseconds
    /// The transactions it is about, as the customers' devices get them.
    public let statements: [Statement]
    /// What is sent to the app's server.
    public let notifications: [Notification]
    /// Waits for a parent's word.
    public let request: String?

    /// A transaction, with the renewal info of its lineage.
    public struct Statement: Sendable, Hashable {
        /// Whose device has it.
        public let customer: String
        /// The transaction.
        public let transactionId: String
        /// Its lineage.
        public let originalTransactionId: String
        /// The transaction as JWS.
        public let signedTransaction: String
        /// The renewal info as JWS; nil for what does not renew.
        public let signedRenewalInfo: String?
        /// The customer's order.
        public let orderId: String
    }

    /// A notification as the App Store posts it.
    public struct Notification: Sendable, Hashable {
        /// Its identity.
        public let notificationUUID: String
        /// Apple's type.
        public let type: String
        /// Apple's subtype.
        public let subtype: String?
        /// Whom it is about; nil for what is about nobody.
        public let customer: String?
        /// The transaction it carries.
        public let transactionId: String?
        /// The whole as JWS.
        public let signedPayload: String
    }
}

/// Signs what a store says.
struct HappeningSigner: Sendable {
    let authority: SigningAuthority
    let settings: StoreSettings

    func sign(_ happening: Happening) throws(SignatureError) -> SignedHappening {
        var statements: [SignedHappening.Statement] = []
        for statement in happening.statements { statements.append(try sign(statement)) }
        var notifications: [SignedHappening.Notification] = []
        for notification in happening.notifications {
            let index = notification.statement
            let container = container(
                notification, index.map { (happening.statements[$0], statements[$0]) })
            var payload = Fields()
            payload.add("notificationType", notification.type)
            payload.add("subtype", notification.subtype)
            payload.add("notificationUUID", notification.notificationUUID)
            payload.add(notification.summary == nil ? "data" : "summary", .object(container))
            payload.add("version", "2.0")
            payload.add("signedDate", happening.signedAt)
            notifications.append(
                SignedHappening.Notification(
                    notificationUUID: notification.notificationUUID, type: notification.type,
                    subtype: notification.subtype, customer: index.map { statements[$0].customer },
                    transactionId: index.map { statements[$0].transactionId },
                    signedPayload: try authority.sign(payload.object)))
        }
        return SignedHappening(
            signedAt: happening.signedAt, statements: statements, notifications: notifications,
            request: happening.request)
    }

    func sign(_ statement: Happening.Statement) throws(SignatureError) -> SignedHappening.Statement {
        SignedHappening.Statement(
            customer: statement.customer, transactionId: statement.transaction["transactionId"]?.stringValue ?? "",
            originalTransactionId: statement.transaction["originalTransactionId"]?.stringValue ?? "",
            signedTransaction: try authority.sign(statement.transaction),
            signedRenewalInfo: try statement.renewalInfo.map { info throws(SignatureError) in try authority.sign(info)
            },
            orderId: statement.orderId)
    }

    private func container(
        _ notification: Happening.Notification, _ statement: (Happening.Statement, SignedHappening.Statement)?
    ) -> JSONObject {
        if let summary = notification.summary { return summary }
        var data = Fields()
        // Apple's documentation says that Sandbox has none; it was seen there in 2025.
        data.add("appAppleId", settings.appAppleId)
        data.add("bundleId", settings.bundleId)
        if let (plain, signed) = statement {
            data.add("bundleVersion", settings.bundleVersion)
            data.add("environment", settings.environment.rawValue)
            data.add("signedTransactionInfo", signed.signedTransaction)
            data.add("signedRenewalInfo", signed.signedRenewalInfo)
            data.add("status", plain.status)
            data.add("consumptionRequestReason", notification.consumptionRequestReason)
        } else {
            data.add("environment", settings.environment.rawValue)
        }
        return data.object
    }
}
