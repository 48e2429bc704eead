public import Entitlements

/// What a bearer token says, once its signature and its claims have been checked.
public struct AccessToken: Sendable, Hashable {
    /// Whom it is for: the account of a device, or the name of whoever acts, for the record.
    public let subject: String
    /// The bundle id it is for; nil: every app.
    public let app: String?
    /// What it may do.
    public let scope: Scope
    /// When it ends.
    public let expires: Milliseconds

    /// The subject as an account; nil if it is no UUID.
    public let account: AccountID?

    /// The claim `app` of a token for every app.
    public static let everyApp = "*"
    /// The longest subject.
    static let maximumSubject = 128

    /// A token to issue. Throws `token` if the parts do not fit together.
    public init(subject: String, app: String?, scope: Scope, expires: Milliseconds) throws(ServiceError) {
        account = AccountID(subject)
        if scope == .device, account == nil {
            throw ServiceError(.token, "a device token needs the account it is for: a UUID other than zero")
        }
        if app == nil, !scope.mayNameEveryApp {
            throw ServiceError(.token, "a token of scope \(scope.rawValue) needs the app it is for")
        }
        guard !subject.isEmpty, subject.utf8.count <= Self.maximumSubject, app != "" else {
            throw ServiceError(.token, "the subject must have 1 to \(Self.maximumSubject) bytes, and the app a name")
        }
        // Accounts compare as UUIDs; one spelling in the claim saves surprises.
        self.subject = account?.description ?? subject
        self.app = app
        self.scope = scope
        self.expires = expires
    }
}
