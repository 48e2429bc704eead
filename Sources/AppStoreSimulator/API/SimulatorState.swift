import Entitlements
import Signatures

/// Everything a simulator knows: the store, what was sent, and what the developer asked for through the Server API.
struct SimulatorState: Sendable {
    var store: Store
    var delivery: Delivery
    let signer: HappeningSigner
    /// Whether there is an address for notifications; without one nothing is sent.
    var hasNotificationURL: Bool
    /// Places of test notifications among the deliveries.
    var testNotifications: [String: Int] = [:]
    var massExtensions: [MassExtension] = []
    /// What the developer said of refund requests, by transaction.
    var consumption: [String: JSONObject] = [:]
    /// For what no act asks for.
    var random: SeededRandom
    /// Acts that came in through the Server API since this was last emptied, for the record.
    var acts: [Act] = []

    struct MassExtension: Sendable {
        let product: String
        let request: String
        let completed: Milliseconds
        let succeeded: Int64
        let failed: Int64
    }

    /// Signs what happened and gives its notifications to the delivery.
    mutating func publish(_ happenings: [Happening]) throws(SignatureError) -> [SignedHappening] {
        var signed: [SignedHappening] = []
        for happening in happenings {
            let one = try signer.sign(happening)
            signed.append(one)
            guard hasNotificationURL else { continue }
            for notification in one.notifications {
                delivery.add(notification, signedAt: one.signedAt, now: store.now)
            }
        }
        return signed
    }

    /// A transaction signed now, with its renewal info.
    mutating func sign(_ purchase: Purchase) throws(SignatureError) -> SignedHappening.Statement {
        try signer.sign(store.statement(purchase, signedAt: store.stamp()))
    }
}
