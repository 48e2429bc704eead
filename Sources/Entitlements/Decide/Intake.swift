/// An app as the rules see it: its identity, what it serves, and its catalogs.
public struct AppTerms: Sendable, Hashable {
    /// The app.
    public var bundleId: String
    /// Environments taken; Xcode and LocalTesting only in development mode (rules.md R5).
    public var environments: Set<Environment>
    /// The catalogs over time.
    public var catalogs: CatalogHistory

    /// Terms of an app.
    public init(
        bundleId: String, environments: Set<Environment> = [.production, .sandbox], catalogs: CatalogHistory
    ) {
        self.bundleId = bundleId
        self.environments = environments
        self.catalogs = catalogs
    }
}

/// Why verified data is not taken in (rules.md R0). The raw value is the `reason` in answers.
public enum Rejection: String, Sendable, Hashable, Error, CaseIterable {
    case bundleId, environment, malformed
    /// A renewal info names no app, so it is taken only with a known transaction of its lineage (page *JWSRenewalInfo*).
    case unknownLineage
}

/// A verified transaction that passed rules.md R0, with its environment.
public struct AdmittedTransaction: Sendable, Hashable {
    /// The transaction.
    public let transaction: Transaction
    /// Its environment, its own or that of the notification around it.
    public let environment: Environment
    /// Its signed bytes.
    public let evidence: Evidence?
}

/// A verified renewal info that passed rules.md R0, with its environment.
public struct AdmittedRenewalInfo: Sendable, Hashable {
    /// The renewal info.
    public let renewalInfo: RenewalInfo
    /// Its environment, its own or that of the notification around it.
    public let environment: Environment
    /// Its signed bytes.
    public let evidence: Evidence?
}

/// A verified notification that passed rules.md R0, with what could be taken from inside it.
public struct AdmittedNotification: Sendable, Hashable {
    /// The envelope.
    public let notification: StoreNotification
    /// The transaction inside.
    public let transaction: AdmittedTransaction?
    /// The renewal info inside.
    public let renewalInfo: AdmittedRenewalInfo?
    /// Why the transaction inside was not taken.
    public let innerRejection: Rejection?
    /// Its signed bytes, the inner ones included.
    public let evidence: Evidence?
}

extension AppTerms {
    private func check(_ environment: Environment?) throws(Rejection) -> Environment {
        guard let environment, environments.contains(environment) else { throw .environment }
        return environment
    }

    /// Takes a decoded transaction (rules.md R0). `fallback`: the verified notification's environment around it.
    public func admit(
        transaction payload: JSONObject, fallback: Environment? = nil, evidence: Evidence? = nil
    ) throws(Rejection) -> AdmittedTransaction {
        guard payload["bundleId"]?.stringValue == bundleId else { throw .bundleId }
        let environment = try check(payload["environment"]?.stringValue.map(Environment.init) ?? fallback)
        guard let transaction = Transaction(payload: payload), transaction.hasPlausibleDates else { throw .malformed }
        return AdmittedTransaction(transaction: transaction, environment: environment, evidence: evidence)
    }

    /// Takes a decoded renewal info (rules.md R0).
    public func admit(
        renewalInfo payload: JSONObject, fallback: Environment? = nil, evidence: Evidence? = nil
    ) throws(Rejection) -> AdmittedRenewalInfo {
        let environment = try check(payload["environment"]?.stringValue.map(Environment.init) ?? fallback)
        guard let renewalInfo = RenewalInfo(payload: payload), renewalInfo.hasPlausibleDates else { throw .malformed }
        return AdmittedRenewalInfo(renewalInfo: renewalInfo, environment: environment, evidence: evidence)
    }

    /// Takes a decoded notification with the decoded objects inside it (rules.md R0, R8). What is wrong with an inner object
    /// keeps that object out, not the envelope.
    public func admit(
        notification payload: JSONObject, transaction: JSONObject?, renewalInfo: JSONObject?,
        evidence: Evidence? = nil
    ) throws(Rejection) -> AdmittedNotification {
        guard let notification = StoreNotification(payload: payload), notification.hasPlausibleDates else {
            throw .malformed
        }
        if let named = notification.bundleId, named != bundleId { throw .bundleId }
        if let environment = notification.environment { _ = try check(environment) }
        var rejection: Rejection?
        var inner: AdmittedTransaction?
        if let transaction {
            do {
                inner = try admit(transaction: transaction, fallback: notification.environment)
            } catch {
                rejection = error
            }
        }
        // A renewal info whose transaction is refused would describe a lineage that is not ours.
        let renewal =
            rejection == nil
            ? renewalInfo.flatMap { try? admit(renewalInfo: $0, fallback: notification.environment) } : nil
        let outer = notification.environment
        if let inner, let outer, inner.environment != outer { throw .environment }
        let isOneLineage =
            inner == nil || renewal == nil
            || (inner?.transaction.originalTransactionId == renewal?.renewalInfo.originalTransactionId
                && inner?.environment == renewal?.environment)
        return AdmittedNotification(
            notification: notification, transaction: inner, renewalInfo: isOneLineage ? renewal : nil,
            innerRejection: rejection, evidence: evidence)
    }
}
