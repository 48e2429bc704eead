/// One entry of a stream: what was learned or done, and when. Nothing concluded is in it.
public struct Event: Sendable, Hashable {
    /// What happened.
    public var body: Body
    /// How it came to us.
    public var source: Source
    /// When this stream stored it.
    public var recordedAt: Milliseconds
    /// When the service first learned it; earlier than `recordedAt` for facts copied into a new owner's stream.
    public var learnedAt: Milliseconds
    /// The signed bytes behind it, if it is signed and they are at hand.
    public var evidence: Evidence?

    /// An event.
    public init(
        body: Body, source: Source, recordedAt: Milliseconds, learnedAt: Milliseconds? = nil, evidence: Evidence? = nil
    ) {
        self.body = body
        self.source = source
        self.recordedAt = recordedAt
        self.learnedAt = learnedAt ?? recordedAt
        self.evidence = evidence
    }

    /// What happened.
    public enum Body: Sendable, Hashable {
        /// A signed transaction. `tokenIsKnown`: its token named an account that we knew then (rules.md R7).
        case transaction(Transaction, tokenIsKnown: Bool)
        /// A signed renewal info.
        case renewalInfo(RenewalInfo)
        /// A signed notification with the signed objects inside it.
        case notification(StoreNotification, Transaction?, RenewalInfo?, tokenIsKnown: Bool)
        /// An account pushed a transaction of a lineage that belonged to nobody (rules.md R7.3).
        case claimed(lineage: String, transactionId: String, by: AccountID)
        /// The user's explicit wish (rules.md R7.4), or an operator's.
        case moved(lineage: String, to: AccountID, cause: MoveCause)
        /// The account that a token names became known (rules.md R7.2).
        case tokenKnown(lineage: String, account: AccountID)
        /// An operator gave access.
        case granted(Grant)
        /// An operator took a grant back.
        case grantRevoked(id: String)
        /// The account spent from a balance (rules.md R6).
        case spent(Spend)
        /// The account was erased.
        case erased
        /// The lineage's owner was erased: it is deaf until freed (rules.md R7).
        case locked(lineage: String)
        /// An operator freed a locked lineage: what was said of its owner before counts no more.
        case freed(lineage: String)
    }

    /// Why a lineage moved.
    public enum MoveCause: String, Sendable, Hashable, CaseIterable {
        case restore, `operator`
    }

    /// How an event came to us.
    public enum Source: String, Sendable, Hashable, CaseIterable {
        case push, restore, notification, serverAPI, imported, account, `operator`
    }
}

/// The signed bytes of an event as the log keeps them, and the verdict at intake (rules.md R10).
public struct Evidence: Sendable, Hashable {
    /// The JWS's payload; header texts of JWS inside it are replaced by a reference.
    public var payload: [UInt8]
    /// The JWS's signature.
    public var signature: [UInt8]
    /// The log's number of the JWS's header, certificates included: they are stored once.
    public var chain: Int32
    /// Which root vouched, judged at which time, by which verifier.
    public var verdict: JSONObject

    /// Evidence.
    public init(payload: [UInt8], signature: [UInt8], chain: Int32, verdict: JSONObject) {
        self.payload = payload
        self.signature = signature
        self.chain = chain
        self.verdict = verdict
    }
}

/// Access given by an operator (rules.md R4).
public struct Grant: Sendable, Hashable {
    /// Bytes of an id.
    public static let idBytes = 128
    /// Bytes of a reason.
    public static let reasonBytes = 1024

    /// Chosen by the operator, or made; unique in the app.
    public var id: String
    /// What it unlocks.
    public var entitlement: String
    /// Its first instant.
    public var from: Milliseconds
    /// Its end; nil is for ever.
    public var until: Milliseconds?
    /// Why, in the operator's words.
    public var reason: String?

    /// A grant.
    public init(id: String, entitlement: String, from: Milliseconds, until: Milliseconds?, reason: String? = nil) {
        self.id = id
        self.entitlement = entitlement
        self.from = from
        self.until = until
        self.reason = reason
    }
}

/// Access that an operator asks for. It becomes a `Grant` when it is decided.
public struct GrantWish: Sendable, Hashable {
    /// Chosen by the operator, or made; unique in the app.
    public var id: String
    /// What it is to unlock.
    public var entitlement: String
    /// Its first instant; nil: when it is decided or, if it is repeated, as it was the first time (rules.md R4).
    public var from: Milliseconds?
    /// Its end; nil is for ever.
    public var until: Milliseconds?
    /// Why, in the operator's words.
    public var reason: String?

    /// A wish.
    public init(
        id: String, entitlement: String, from: Milliseconds? = nil, until: Milliseconds?, reason: String? = nil
    ) {
        self.id = id
        self.entitlement = entitlement
        self.from = from
        self.until = until
        self.reason = reason
    }

    /// The grant, beginning at `instant` if the wish does not say when.
    func granted(from instant: Milliseconds) -> Grant {
        Grant(id: id, entitlement: entitlement, from: from ?? instant, until: until, reason: reason)
    }
}

/// An amount taken from a balance (rules.md R6).
public struct Spend: Sendable, Hashable {
    /// Bytes of an idempotency key.
    public static let keyBytes = 128

    /// The balance.
    public var currency: String
    /// How much; positive.
    public var amount: Int64
    /// The caller's name for this one spend.
    public var idempotencyKey: String

    /// A spend.
    public init(currency: String, amount: Int64, idempotencyKey: String) {
        self.currency = currency
        self.amount = amount
        self.idempotencyKey = idempotencyKey
    }
}
