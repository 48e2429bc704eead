public import Entitlements

/// One transaction. It is to be verified before it counts.
public struct SingleTransaction: Sendable, Hashable {
    /// Signed now.
    public let signedTransaction: String

    /// Reads the answer of transaction info. Throws `ServerAPIError` of code `unreadable`.
    public init(_ object: JSONObject) throws(ServerAPIError) {
        guard let text = object["signedTransactionInfo"]?.stringValue else {
            throw .unreadable("the answer has no signedTransactionInfo")
        }
        signedTransaction = text
    }
}

/// A page of transactions: of the history or of refunds. Everything in it is to be verified before it counts.
public struct TransactionPage: Sendable, Hashable {
    /// Transactions, signed now.
    public let signedTransactions: [String]
    /// Behind this page; may be kept and used another day.
    public let revision: String?
    /// Whether there is another page.
    public let hasMore: Bool

    /// Reads the answer of the history or the refund history. Throws `ServerAPIError` of code `unreadable`.
    public init(_ object: JSONObject) throws(ServerAPIError) {
        signedTransactions = try object.signedObjects("signedTransactions")
        revision = object["revision"]?.stringValue
        hasMore = object["hasMore"]?.boolValue ?? false
    }
}

/// The last transaction and the renewal info of each of a customer's subscriptions.
public struct SubscriptionStatuses: Sendable, Hashable {
    /// Last transactions, signed now.
    public let signedTransactions: [String]
    /// Renewal infos, signed now.
    public let signedRenewalInfos: [String]

    init(_ object: JSONObject) throws(ServerAPIError) {
        var transactions: [String] = []
        var renewalInfos: [String] = []
        for group in try object.objects("data") {
            for item in try group.objects("lastTransactions") {
                if let text = item["signedTransactionInfo"]?.stringValue { transactions.append(text) }
                if let text = item["signedRenewalInfo"]?.stringValue { renewalInfos.append(text) }
            }
        }
        signedTransactions = transactions
        signedRenewalInfos = renewalInfos
    }
}

/// One try to deliver a notification.
public struct SendAttempt: Sendable, Hashable {
    /// When; nil if it was not said.
    public let date: Milliseconds?
    /// Apple's word, `SUCCESS` for a good one.
    public let result: String

    init(_ object: JSONObject) {
        date = object["attemptDate"]?.integerValue
        result = object["sendAttemptResult"]?.stringValue ?? ""
    }
}

/// A page of the notification history.
public struct NotificationPage: Sendable, Hashable {
    /// Notifications as they were signed when they were sent.
    public let signedPayloads: [String]
    /// Of those, how many Apple could not deliver at the last try.
    public let undelivered: Int
    /// For the next page.
    public let token: String?
    /// Whether there is another page.
    public let hasMore: Bool

    init(_ object: JSONObject) throws(ServerAPIError) {
        let items = try object.objects("notificationHistory")
        signedPayloads = items.compactMap { $0["signedPayload"]?.stringValue }
        var failed = 0
        for item in items where try item.objects("sendAttempts").last.map(SendAttempt.init)?.result != "SUCCESS" {
            failed += 1
        }
        undelivered = failed
        token = object["paginationToken"]?.stringValue
        hasMore = object["hasMore"]?.boolValue ?? false
    }
}

/// What became of a TEST notification.
public struct TestNotificationStatus: Sendable, Hashable {
    /// The notification itself.
    public let signedPayload: String?
    /// Every try, at most six.
    public let attempts: [SendAttempt]

    init(_ object: JSONObject) throws(ServerAPIError) {
        signedPayload = object["signedPayload"]?.stringValue
        attempts = try object.objects("sendAttempts").map(SendAttempt.init)
    }
}

/// What was bought with an order.
public struct OrderLookup: Sendable, Hashable {
    /// Whether Apple knows the order id.
    public let isValid: Bool
    /// Its transactions, signed now.
    public let signedTransactions: [String]

    init(_ object: JSONObject) throws(ServerAPIError) {
        isValid = object["status"]?.integerValue == 0
        signedTransactions = try object.signedObjects("signedTransactions")
    }
}

/// What became of the wish to move a renewal date.
public struct RenewalExtension: Sendable, Hashable {
    /// Whether it was moved.
    public let isDone: Bool
    /// The renewal date now.
    public let effectiveDate: Milliseconds?

    init(_ object: JSONObject) {
        isDone = object["success"]?.boolValue ?? false
        effectiveDate = object["effectiveDate"]?.integerValue
    }
}

extension JSONObject {
    /// Objects of an array; an absent one is empty. Throws if something else stands there.
    fileprivate func objects(_ name: String) throws(ServerAPIError) -> [JSONObject] {
        guard let value = self[name], value != .null else { return [] }
        guard let elements = value.arrayValue else { throw .unreadable("\(name) is \(value.kindName), not an array") }
        var objects: [JSONObject] = []
        for element in elements {
            guard let object = element.objectValue else { throw .unreadable("an element of \(name) is no object") }
            objects.append(object)
        }
        return objects
    }

    /// Signed objects of an array; an absent one is empty. Throws if something else stands there.
    fileprivate func signedObjects(_ name: String) throws(ServerAPIError) -> [String] {
        guard let value = self[name], value != .null else { return [] }
        guard let elements = value.arrayValue else { throw .unreadable("\(name) is \(value.kindName), not an array") }
        var texts: [String] = []
        for element in elements {
            guard let text = element.stringValue else { throw .unreadable("an element of \(name) is no signed object") }
            texts.append(text)
        }
        return texts
    }
}
