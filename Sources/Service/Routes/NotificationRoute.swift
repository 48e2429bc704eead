import AppStore
import Entitlements
import EventLoop
import Sync

/// `POST …/notifications/appstore`: what Apple's servers tell. Anybody may call it; Apple's signature is the proof.
///
/// The status decides whether the App Store sends again, so it says whose turn it is to mend something.
struct NotificationRoute {
    let backend: Backend

    /// Apple's are some ten kilobytes.
    private static let maximumBody = 256 * 1024

    var routes: [Route] {
        [
            Route(
                "POST", "/v1/apps/{bundleId}/notifications/appstore", .anyone,
                body: .json(limit: Self.maximumBody, requiresMediaType: false),
                .asynchronous { call in .answer(try await notify(call)) })
        ]
    }

    private func notify(_ call: Call) async throws -> Answer {
        let bundleID = try call.bundleID()
        // Somebody may add the app before the App Store gives up.
        guard let app = backend.engine.terms.app(bundleId: bundleID) else {
            throw Problem(.appNotConfigured, retryAfter: 3600)
        }
        let payload = try call.body().requiredText("signedPayload", maximumLength: Self.maximumBody)
        let outcome: String
        switch try await backend.engine.notify(signedPayload: payload, app: app) {
        case .refused(let refusal):
            backend.metrics.count(.signedObjects, "rejected")
            backend.metrics.count(.refusals, refusal.check.rawValue)
            throw Problem(refusal)
        case .decided(.rejected(let rejection)):
            backend.metrics.count(.signedObjects, "rejected")
            backend.metrics.count(.refusals, rejection.rawValue)
            throw Problem(rejection)
        case .decided(let decided): outcome = decided.description
        }
        backend.metrics.count(.signedObjects, outcome)
        var answer = Answer.json(["outcome": .string(outcome)])
        answer.outcomes = [outcome: 1]
        return answer
    }
}

extension Problem {
    /// Signed data that was not believed.
    init(_ refusal: Refusal) {
        if refusal.isRetryable {
            self.init(.appNotConfigured, refusal.description, retryAfter: 3600)
            return
        }
        let code: ProblemCode =
            switch refusal.check {
            case .bundleId, .appAppleId: .otherApp
            case .environment: .environmentNotServed
            default: .rejectedSignedData
            }
        self.init(code, refusal.description)
    }

    /// Signed data that was believed and does not belong here, or is not what it should be.
    init(_ rejection: Rejection) {
        switch rejection {
        case .bundleId: self.init(.otherApp)
        case .environment: self.init(.environmentNotServed)
        case .malformed, .unknownLineage: self.init(.rejectedSignedData)
        }
    }
}
