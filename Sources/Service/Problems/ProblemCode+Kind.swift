extension ProblemCode {
    /// The table behind docs/problems.md.
    var kind: ProblemKind {
        switch self {
        case .malformedRequest, .headerTooLarge, .requestTimeout, .expectationFailed, .versionNotSupported:
            transportKind
        case .bodyTooLarge, .unknownRoute, .methodNotAllowed, .unsupportedMediaType, .invalidJSON, .invalidBody,
            .invalidParameter, .tooManyItems:
            requestKind
        case .missingToken, .invalidToken, .expiredToken, .forbiddenScope, .forbiddenApp, .forbiddenAccount,
            .unknownApp:
            accessKind
        case .rejectedSignedData, .otherApp, .environmentNotServed: signedDataKind
        case .insufficientBalance, .idempotencyConflict, .invalidAmount, .grantExists, .unknownGrant,
            .unknownLineage, .notLocked, .lineageLocked, .alreadyOwner, .consumableLineage, .invalidCatalog:
            ruleKind
        case .rateLimited, .overloaded, .databaseUnavailable, .draining, .notReady, .appNotConfigured, .internalError:
            serviceKind
        }
    }

    private var transportKind: ProblemKind {
        switch self {
        case .headerTooLarge:
            ProblemKind(
                431, "Request header too large", "The request line and headers are longer than the service takes.",
                "Send fewer and shorter headers.")
        case .requestTimeout:
            ProblemKind(
                408, "Request too slow", "The request did not arrive completely in time.",
                "Send it again, in one go.", isTransient: true)
        case .expectationFailed:
            ProblemKind(
                417, "Expectation not supported", "The header Expect asks for something other than 100-continue.",
                "Leave the header out.")
        case .versionNotSupported:
            ProblemKind(505, "HTTP version not supported", "The request is not HTTP/1.0 or 1.1.", "Use HTTP/1.1.")
        default:
            ProblemKind(
                400, "Malformed request",
                "The request is not valid HTTP/1.1, or two programs could read it differently.",
                "Mend the program that wrote it; the connection is closed.")
        }
    }

    private var requestKind: ProblemKind {
        switch self {
        case .bodyTooLarge:
            ProblemKind(
                413, "Request body too large", "The body is longer than this route takes.", "Send less at a time.")
        case .unknownRoute:
            ProblemKind(
                404, "Unknown address", "The service has nothing at this path.",
                "Check the path: no part of it may be empty.")
        case .methodNotAllowed:
            ProblemKind(
                405, "Method not allowed", "The path is right, the method is not.",
                "Use one that the header Allow names.")
        case .unsupportedMediaType:
            ProblemKind(
                415, "Unsupported media type", "The body is not declared as JSON.",
                "Send Content-Type: application/json.")
        case .invalidJSON:
            ProblemKind(
                400, "Body is not JSON", "The body is no JSON text in UTF-8, or is nested too deeply.",
                "Mend it at the line and column given.")
        case .invalidBody:
            ProblemKind(
                400, "Body has the wrong form", "A member of the body is missing or has the wrong type.",
                "Mend the member named in the answer.")
        case .tooManyItems:
            ProblemKind(
                400, "Too many items", "The body holds more signed objects than one request may.",
                "Send them in several requests.")
        default:
            ProblemKind(
                400, "Invalid parameter", "A part of the path, of the query or a header has no sense.",
                "Mend the parameter named in the answer.")
        }
    }

    private var accessKind: ProblemKind {
        switch self {
        case .missingToken:
            ProblemKind(
                401, "No token", "The request has no bearer token.", "Send Authorization: Bearer TOKEN.")
        case .expiredToken:
            ProblemKind(401, "Token expired", "The token's time is over.", "Get a new one from the app's backend.")
        case .forbiddenScope:
            ProblemKind(
                403, "Not allowed", "The token's scope does not include this.",
                "Use a token of a scope that the answer names.")
        case .forbiddenApp:
            ProblemKind(403, "Token of another app", "The token is for another app.", "Use a token of this app.")
        case .forbiddenAccount:
            ProblemKind(
                403, "Token of another account", "A device may ask about its own account only.",
                "Use a token of the account in the path.")
        case .unknownApp:
            ProblemKind(
                404, "Unknown app", "The service does not serve this bundle id.",
                "Add it with `entitled catalog apply` or `entitled app add`.")
        default:
            ProblemKind(
                401, "Invalid token", "The token is malformed, signed by an unknown key, or says something impossible.",
                "Get a new one; check that its issuer's key is in the service's key file.")
        }
    }

    private var signedDataKind: ProblemKind {
        switch self {
        case .otherApp:
            ProblemKind(
                422, "Signed for another app",
                "The data is genuine, but for another bundle id or app id. Nothing was stored.",
                "Check the address set in App Store Connect and the app's id in the catalog.")
        case .environmentNotServed:
            ProblemKind(
                422, "Environment not served",
                "The data is genuine, but of an environment that this app does not take.",
                "Check the environments of `entitled app list`.")
        default:
            ProblemKind(
                400, "Signed data rejected",
                "The data was not signed by Apple as it should be, or is damaged. Nothing was stored.",
                "`entitled verify` tells which check failed.")
        }
    }
}
