public import Entitlements

/// An endpoint of the App Store Server API, as far as it has a limit of its own (shared facts: server-api, sections 3 and 5).
public enum ServerAPIEndpoint: String, Sendable, Hashable, CaseIterable {
    case transactionInfo, history, statuses, refundHistory, orderLookup
    case notificationHistory, testNotification, testNotificationStatus
    case setAppAccountToken, extendRenewal, extendAllRenewals, extendAllRenewalsStatus, consumption

    /// Calls that Apple allows an app in an hour. Sandbox has a tenth of Production.
    public func callsPerHour(in environment: Environment) -> Int {
        environment == .production ? callsPerSecond * 3600 : callsPerSecond * 360
    }

    private var callsPerSecond: Int {
        switch self {
        case .transactionInfo, .history, .statuses, .notificationHistory, .consumption: 50
        case .setAppAccountToken, .extendRenewal: 20
        case .refundHistory, .orderLookup: 10
        // Apple gives no limit for the status of a mass extension: that of its neighbour.
        case .testNotification, .testNotificationStatus, .extendAllRenewals, .extendAllRenewalsStatus: 1
        }
    }
}
