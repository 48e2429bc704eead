/// The closed list of what can go wrong with a request. The raw value is the `code` of the answer and never changes.
public enum ProblemCode: String, Sendable, Hashable, CaseIterable {
    // The request as such. The first five are answers of the HTTP server itself.
    case malformedRequest, headerTooLarge, requestTimeout, expectationFailed, versionNotSupported
    case bodyTooLarge, unknownRoute, methodNotAllowed, unsupportedMediaType, invalidJSON, invalidBody, invalidParameter
    case tooManyItems
    // Who asks.
    case missingToken, invalidToken, expiredToken, forbiddenScope, forbiddenApp, forbiddenAccount, unknownApp
    // Signed data.
    case rejectedSignedData, otherApp, environmentNotServed
    // What the rules refuse.
    case insufficientBalance, idempotencyConflict, invalidAmount, grantExists, unknownGrant
    case unknownLineage, notLocked, lineageLocked, alreadyOwner, consumableLineage, invalidCatalog
    // The service.
    case rateLimited, overloaded, databaseUnavailable, draining, notReady, appNotConfigured, internalError
}

/// What is always true of a problem of one code.
struct ProblemKind {
    /// The status of the answer.
    let status: Int
    /// A few words, the same each time.
    let title: String
    /// What it means.
    let meaning: String
    /// What the caller should do.
    let remedy: String
    /// Whether the same request may work later without anybody changing anything.
    let isTransient: Bool

    init(_ status: Int, _ title: String, _ meaning: String, _ remedy: String, isTransient: Bool = false) {
        self.status = status
        self.title = title
        self.meaning = meaning
        self.remedy = remedy
        self.isTransient = isTransient
    }
}
