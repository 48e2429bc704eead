public import Entitlements

/// A call of the App Store Server API: what is asked, without host and token.
public struct ServerAPIRequest: Sendable, Hashable {
    /// Whose limit it counts against.
    public let endpoint: ServerAPIEndpoint
    /// For example `GET`.
    public let method: String
    /// From the slash on, encoded. Case matters.
    public let path: String
    /// Parameters in order; one may repeat.
    public let query: [Parameter]
    /// The body; nil: none.
    public let body: JSONObject?

    /// A parameter of the query.
    public struct Parameter: Sendable, Hashable {
        /// Its name.
        public let name: String
        /// Its value, not encoded.
        public let value: String
    }

    init(
        _ endpoint: ServerAPIEndpoint, _ method: String, _ path: [String],
        query: [(String, String?)] = [], body: JSONObject? = nil
    ) {
        self.endpoint = endpoint
        self.method = method
        self.path = "/" + path.map(Self.encoded).joined(separator: "/")
        self.query = query.compactMap { name, value in value.map { Parameter(name: name, value: $0) } }
        self.body = body
    }

    /// Path and query, as they stand behind the host.
    public var target: String {
        guard !query.isEmpty else { return path }
        return path + "?" + query.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }.joined(separator: "&")
    }

    /// Percent-encoding of everything but the unreserved characters (RFC 3986 section 2.3): an id cannot leave its place.
    static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension ServerAPIRequest {
    /// One transaction as it is now.
    public static func transactionInfo(_ transactionId: String) -> ServerAPIRequest {
        ServerAPIRequest(.transactionInfo, "GET", ["inApps", "v1", "transactions", transactionId])
    }

    /// A page of all that a customer bought in the app, oldest change first: only that order lets a revision be kept for
    /// the next time. `id`: any transaction of the customer.
    public static func history(of id: String, revision: String? = nil) -> ServerAPIRequest {
        // The same parameters on every page, as Apple asks.
        ServerAPIRequest(
            .history, "GET", ["inApps", "v2", "history", id], query: [("sort", "ASCENDING"), ("revision", revision)])
    }

    /// The state of each of a customer's subscriptions.
    public static func statuses(of id: String) -> ServerAPIRequest {
        ServerAPIRequest(.statuses, "GET", ["inApps", "v1", "subscriptions", id])
    }

    /// A page of a customer's refunds, oldest first.
    public static func refundHistory(of id: String, revision: String? = nil) -> ServerAPIRequest {
        ServerAPIRequest(
            .refundHistory, "GET", ["inApps", "v2", "refund", "lookup", id], query: [("revision", revision)])
    }

    /// What was bought with an order that a customer names. Production only.
    public static func order(_ orderId: String) -> ServerAPIRequest {
        ServerAPIRequest(.orderLookup, "GET", ["inApps", "v1", "lookup", orderId])
    }

    /// A page of the notifications sent from a time on (inclusive) to another (exclusive).
    public static func notificationHistory(
        from start: Milliseconds, to end: Milliseconds, onlyFailures: Bool = false, token: String? = nil
    ) -> ServerAPIRequest {
        var body: JSONObject = ["startDate": .integer(start), "endDate": .integer(end)]
        if onlyFailures { body["onlyFailures"] = true }
        return ServerAPIRequest(
            .notificationHistory, "POST", ["inApps", "v1", "notifications", "history"],
            query: [("paginationToken", token)], body: body)
    }

    /// Asks for a TEST notification.
    public static let testNotification = ServerAPIRequest(
        .testNotification, "POST", ["inApps", "v1", "notifications", "test"])

    /// What became of a TEST notification.
    public static func testNotificationStatus(_ token: String) -> ServerAPIRequest {
        ServerAPIRequest(.testNotificationStatus, "GET", ["inApps", "v1", "notifications", "test", token])
    }

    /// Writes an account into a purchase: running and later periods of its lineage carry it from then on.
    public static func setAppAccountToken(_ account: AccountID, lineage: String) -> ServerAPIRequest {
        ServerAPIRequest(
            .setAppAccountToken, "PUT", ["inApps", "v1", "transactions", lineage, "appAccountToken"],
            body: ["appAccountToken": .string(account.description)])
    }

    /// Moves a subscription's renewal date. `days` 1 to 90; `reason` 0 to 3 as Apple numbers them; `identifier` up to 128
    /// characters, which tells a repetition from a second extension.
    public static func extendRenewal(
        of lineage: String, days: Int, reason: Int, identifier: String
    ) -> ServerAPIRequest {
        ServerAPIRequest(
            .extendRenewal, "PUT", ["inApps", "v1", "subscriptions", "extend", lineage],
            body: [
                "extendByDays": .integer(Int64(days)), "extendReasonCode": .integer(Int64(reason)),
                "requestIdentifier": .string(identifier),
            ])
    }

    /// What Apple asks for when somebody wants money back for a purchase. Only with the customer's consent, which this
    /// therefore states.
    public static func consumption(_ transactionId: String, _ report: ConsumptionReport) -> ServerAPIRequest {
        ServerAPIRequest(
            .consumption, "PUT", ["inApps", "v2", "transactions", "consumption", transactionId], body: report.body)
    }
}

/// How much of a purchase was used (server-api, version 2 of consumption information).
public struct ConsumptionReport: Sendable, Hashable {
    /// What the app would like Apple to decide.
    public enum Preference: String, Sendable, Hashable, CaseIterable {
        case decline = "DECLINE"
        case grantFull = "GRANT_FULL"
        case grantProrated = "GRANT_PRORATED"
    }

    /// Apple's word for whether it was delivered, `DELIVERED` for what worked.
    public var deliveryStatus: String
    /// Whether the customer could try it before.
    public var sampleContentProvided: Bool
    /// How much was used, 0 to 100,000 for all; nil: not said.
    public var consumedMilliunits: Int?
    /// Nil: none.
    public var preference: Preference?

    /// A report.
    public init(
        deliveryStatus: String, sampleContentProvided: Bool, consumedMilliunits: Int? = nil,
        preference: Preference? = nil
    ) {
        self.deliveryStatus = deliveryStatus
        self.sampleContentProvided = sampleContentProvided
        self.consumedMilliunits = consumedMilliunits
        self.preference = preference
    }

    var body: JSONObject {
        var body: JSONObject = [
            "customerConsented": true, "sampleContentProvided": .bool(sampleContentProvided),
            "deliveryStatus": .string(deliveryStatus),
        ]
        if let consumedMilliunits { body["consumptionPercentage"] = .integer(Int64(consumedMilliunits)) }
        if let preference { body["refundPreference"] = .string(preference.rawValue) }
        return body
    }
}
