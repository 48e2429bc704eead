import Entitlements
import Signatures

/// What a signed snapshot must be for.
struct SnapshotBinding: Sendable, Hashable {
    let bundleId: String
    let environment: Environment
    let account: AccountID
    /// Lower-case UUID.
    let installation: String
}

/// A snapshot that a pinned key signed for this app, environment, account and installation. There is no other way to make
/// one, so whoever holds it need not ask again.
struct SignedSnapshot: Sendable, Hashable {
    /// The compact JWS as it came.
    let text: String
    /// What it says.
    let snapshot: Snapshot
    /// Where the next poll goes on.
    let cursor: String
    /// The service's clock when it signed: the offline limit counts from here.
    let serverTime: Milliseconds
    /// Its place in the order of views.
    let position: ViewPosition

    /// The `typ` that keeps any other thing the service signs from being taken for a snapshot.
    static let type = "entitled-snapshot+jwt"
    /// Longer ones are not read.
    static let maximumBytes = 1 << 20

    /// Judges a text. Throws `unverified` and says which check failed.
    init(verifying text: String, keys: PinnedKeys, binding: SnapshotBinding) throws(ClientError) {
        guard text.utf8.count <= Self.maximumBytes, let token = try? CompactJWS(text.utf8) else {
            throw Self.refusal("it is not a compact JWS")
        }
        try Self.checkSignature(of: token, keys: keys)
        guard let payload = Self.object(try? token.payload()), let body = payload["snapshot"]?.objectValue,
            let snapshot = Snapshot(json: body), snapshot.offlineGrace > 0, let cursor = payload["cursor"]?.stringValue,
            !cursor.isEmpty,
            let serverTime = payload["serverTime"]?.integerValue, Time.plausible.contains(serverTime),
            let epoch = payload["epoch"]?.integerValue, let activation = payload["activation"]?.integerValue
        else { throw Self.refusal("its payload lacks something; the service may be too new for this client") }
        try Self.check(snapshot, for: binding)
        guard payload["installation"]?.stringValue?.lowercased() == binding.installation else {
            throw Self.refusal("it was signed for another installation")
        }
        self.text = text
        self.snapshot = snapshot
        self.cursor = cursor
        self.serverTime = serverTime
        position = ViewPosition(epoch: epoch, activation: activation, version: snapshot.version, asOf: snapshot.asOf)
    }

    private static func checkSignature(of token: CompactJWS, keys: PinnedKeys) throws(ClientError) {
        guard let header = object(try? token.header()), header["alg"] == "EdDSA", header["crit"] == nil,
            header["typ"]?.stringValue == type, let kid = header["kid"]?.stringValue
        else { throw refusal("its header is not that of a snapshot") }
        let candidates = keys.candidates(for: kid)
        guard !candidates.isEmpty else { throw refusal("its key is not among the pinned ones") }
        guard let signature = try? token.signature(),
            candidates.contains(where: { $0.isValid(signature: signature, for: token.signingInput) })
        else { throw refusal("its signature is not valid") }
    }

    private static func check(_ snapshot: Snapshot, for binding: SnapshotBinding) throws(ClientError) {
        guard snapshot.bundleId == binding.bundleId else { throw refusal("it is for another app") }
        guard snapshot.environment == binding.environment else { throw refusal("it is for another environment") }
        guard snapshot.account == binding.account else { throw refusal("it is for another account") }
    }

    private static func object(_ bytes: [UInt8]?) -> JSONObject? {
        bytes.flatMap { try? JSONValue(parsing: $0, limits: JSONLimits(bytes: maximumBytes)) }?.objectValue
    }

    private static func refusal(_ why: String) -> ClientError {
        ClientError(.unverified, "the signed snapshot was refused: \(why)")
    }
}

extension SignedSnapshot {
    /// What is needed to answer without the network (rules.md R11). The limit counts from the service's clock.
    var offline: CachedSnapshot {
        var entitlements: [String: CachedEntitlement] = [:]
        for entry in snapshot.entitlements {
            entitlements[entry.id] = CachedEntitlement(
                intervals: entry.activeIntervals.union(), willRenew: entry.willRenew, endIsFinal: entry.endIsFinal)
        }
        return CachedSnapshot(
            fetchedAt: serverTime, offlineGrace: snapshot.offlineGrace, staleAccess: snapshot.staleAccess,
            entitlements: entitlements)
    }

    /// Whether this one may take the place of another: a later view, or the same view signed later.
    func replaces(_ other: SignedSnapshot) -> Bool {
        position > other.position || (position == other.position && serverTime > other.serverTime)
    }

    /// How long this one serves before the service should sign anew, though nothing has changed: well inside the limit.
    var refreshAfter: Milliseconds { min(max(snapshot.offlineGrace / 4, 1_000), 6 * 3_600_000) }
}
