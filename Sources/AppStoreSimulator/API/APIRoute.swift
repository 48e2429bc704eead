/// The endpoints of the App Store Server API that are served (server-api.md section 3), with Apple's limits.
enum APIRoute: String, Sendable, Hashable, CaseIterable {
    case transactionInfo, history, statuses, notificationHistory, testNotification, testNotificationStatus, lookUpOrder
    case consumption, extendRenewal, extendAll, extendAllStatus, setAppAccountToken, refundHistory, appTransaction,
        finish

    /// Calls a second and app in Production; nil: not limited. They are counted by the hour.
    var callsPerSecond: Int? {
        switch self {
        case .transactionInfo, .history, .statuses, .notificationHistory, .consumption, .appTransaction, .finish: 50
        case .extendRenewal, .setAppAccountToken: 20
        case .lookUpOrder, .refundHistory: 10
        case .testNotification, .testNotificationStatus, .extendAll: 1
        case .extendAllStatus: nil
        }
    }

    /// The endpoint of a method and a path below `/inApps`, and what stands in the places of its path.
    static func find(_ method: String, _ path: [String]) -> (APIRoute, [String])? {
        for (route, routeMethod, pattern) in patterns where routeMethod == method && pattern.count == path.count {
            var places: [String] = []
            let fits = zip(pattern, path).allSatisfy { piece, segment in
                if piece == "*" { places.append(segment) }
                return piece == "*" ? !segment.isEmpty : piece == segment
            }
            if fits { return (route, places) }
        }
        return nil
    }

    private static let patterns: [(APIRoute, String, [String])] = [
        // Before the general one: its path is one of an id, too.
        (.appTransaction, "GET", ["v1", "transactions", "appTransactions", "*"]),
        (.transactionInfo, "GET", ["v1", "transactions", "*"]),
        (.history, "GET", ["v2", "history", "*"]),
        (.statuses, "GET", ["v1", "subscriptions", "*"]),
        (.notificationHistory, "POST", ["v1", "notifications", "history"]),
        (.testNotification, "POST", ["v1", "notifications", "test"]),
        (.testNotificationStatus, "GET", ["v1", "notifications", "test", "*"]),
        (.lookUpOrder, "GET", ["v1", "lookup", "*"]),
        (.consumption, "PUT", ["v2", "transactions", "consumption", "*"]),
        (.extendAll, "POST", ["v1", "subscriptions", "extend", "mass"]),
        (.extendAllStatus, "GET", ["v1", "subscriptions", "extend", "mass", "*", "*"]),
        (.extendRenewal, "PUT", ["v1", "subscriptions", "extend", "*"]),
        (.setAppAccountToken, "PUT", ["v1", "transactions", "*", "appAccountToken"]),
        (.refundHistory, "GET", ["v2", "refund", "lookup", "*"]),
        (.finish, "POST", ["v1", "transactions", "*", "finish"]),
    ]
}
