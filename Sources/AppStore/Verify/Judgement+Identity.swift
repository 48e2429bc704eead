import Entitlements
import Signatures

/// Steps 9 and 10 of signed-data.md section 5, and section 6.3.
extension Judgement {
    func checkKind(_ kind: SignedDataKind, _ payload: JSONObject) throws(Refusal) {
        if let recognized = SignedDataKind.recognized(in: payload), recognized != kind {
            throw Refusal(
                .kind, .otherKind,
                "this is a signed \(recognized.rawValue), it was handed in as \(kind.rawValue)")
        }
        if kind == .renewalInfo, let bundleId = payload["bundleId"], bundleId != .null {
            throw Refusal(.kind, .otherKind, field: "bundleId", "renewal info never names an app, this object does")
        }
        if kind == .notification, StoreNotification(payload: payload) == nil {
            throw Refusal(
                .kind, .fieldMissing, field: "notificationUUID",
                "the notification has no notificationUUID: it could not be told from its repetition")
        }
    }

    func checkIdentity(
        _ kind: SignedDataKind, _ payload: JSONObject, _ claims: Claims, _ environment: Environment?
    ) throws(Refusal) {
        // A container that a later version brings may name no app: the envelope is kept, and grants nothing (rules.md R8).
        if kind == .notification, claims.bundleId == nil, !Self.mustNameApp(payload) { return }
        if kind != .renewalInfo { try checkBundleId(claims.bundleId) }
        if kind == .notification || kind == .appTransaction {
            try checkAppAppleId(claims.appAppleId, environment)
        }
        try checkEnvironment(environment)
    }

    private static func mustNameApp(_ payload: JSONObject) -> Bool {
        ["data", "summary", "externalPurchaseToken", "appData"].contains { payload[$0]?.objectValue != nil }
    }

    private func checkBundleId(_ bundleId: String?) throws(Refusal) {
        guard let expected = identity.bundleId else { return }
        guard let bundleId else {
            throw Refusal(.bundleId, .bundleIdMissing, field: "bundleId", "the payload names no app (bundleId)")
        }
        guard bundleId == expected else {
            throw Refusal(
                .bundleId, .bundleIdMismatch, field: "bundleId",
                "the data belongs to another app than \(expected)")
        }
    }

    /// Compared in Production only: Apple leaves the number out elsewhere, and its libraries never look at it there.
    private func checkAppAppleId(_ written: JSONValue?, _ environment: Environment?) throws(Refusal) {
        let isServed = environment.map { identity.environments?.contains($0) ?? true } ?? false
        // Data of an environment that is not served is compared as Production if that is, as Apple's libraries do.
        let counts = isServed ? environment == .production : identity.environments?.contains(.production) ?? false
        // A payload without the number is judged by its bundle id, which is as much Apple's word.
        guard counts, let written else { return }
        guard let number = written.integerValue else {
            throw Refusal(
                .appAppleId, .fieldType, field: "appAppleId",
                "appAppleId is \(written.kindName), it must be a whole number")
        }
        guard let expected = identity.appAppleId else {
            guard identity.isComplete else { return }
            throw Refusal(
                .appAppleId, .appAppleIdNotConfigured, field: "appAppleId",
                "the app is served in Production but its App Store number is not configured; set --app-apple-id")
        }
        guard number == expected else {
            throw Refusal(
                .appAppleId, .appAppleIdMismatch, field: "appAppleId",
                "the data belongs to another App Store number than \(expected)")
        }
    }

    private func checkEnvironment(_ environment: Environment?) throws(Refusal) {
        guard let expected = identity.environments else { return }
        guard let environment else {
            throw Refusal(
                .environment, .environmentMissing, field: "environment", "the payload does not say its environment")
        }
        guard expected.contains(environment) else {
            throw Refusal(
                .environment, .environmentMismatch, field: "environment",
                "the data is of \(environment); taken here: \(expected.map(\.rawValue).sorted().joined(separator: ", "))"
            )
        }
        guard !environment.isDevelopmentOnly || verifier.takesDevelopmentData else {
            throw Refusal(
                .environment, .developmentEnvironment, field: "environment",
                "data of \(environment) is taken in development mode only")
        }
    }

    /// What stands inside a notification is for the same app and environment as the notification.
    func checkAgreement(_ claims: Claims, _ outer: Surroundings) throws(Refusal) {
        if let bundleId = claims.bundleId, let outerBundleId = outer.bundleId, bundleId != outerBundleId {
            throw Refusal(
                .bundleId, .bundleIdMismatch, field: "bundleId",
                "the object inside is for another app than the notification around it")
        }
        if let environment = claims.environment, let outerEnvironment = outer.environment,
            environment != outerEnvironment
        {
            throw Refusal(
                .environment, .environmentMismatch, field: "environment",
                "the object inside is of \(environment), the notification around it of \(outerEnvironment)")
        }
    }
}
