public import Entitlements

/// The app that signed data must belong to.
public struct AppIdentity: Sendable, Hashable {
    /// The bundle id, compared exactly.
    public let bundleId: String
    /// The app's number in App Store Connect; needed to accept notifications of Production.
    public let appAppleId: Int64?
    /// The environments served.
    public let environments: Set<Environment>

    /// An app of these parts.
    public init(bundleId: String, appAppleId: Int64?, environments: Set<Environment>) {
        self.bundleId = bundleId
        self.appAppleId = appAppleId
        self.environments = environments
    }
}

/// What a signed object's identity is compared with. A service always compares with an ``AppIdentity``; a person at a
/// terminal may leave parts open.
public struct ExpectedIdentity: Sendable {
    let bundleId: String?
    let appAppleId: Int64?
    let environments: Set<Environment>?
    let isComplete: Bool

    /// Everything is compared.
    public static func app(_ app: AppIdentity) -> ExpectedIdentity {
        ExpectedIdentity(
            bundleId: app.bundleId, appAppleId: app.appAppleId, environments: app.environments, isComplete: true)
    }

    /// Only the parts given are compared. Not for a service.
    public static func partial(
        bundleId: String? = nil, appAppleId: Int64? = nil, environment: Environment? = nil
    ) -> ExpectedIdentity {
        ExpectedIdentity(
            bundleId: bundleId, appAppleId: appAppleId, environments: environment.map { [$0] }, isComplete: false)
    }
}
