/// What became of one signed transaction.
public struct PushResult: Sendable, Hashable {
    /// What the service did with it; `queued` is the client's own word.
    public struct Outcome: RawRepresentable, Sendable, Hashable {
        /// The service's spelling; words of a later version are kept.
        public let rawValue: String
        /// An outcome by its spelling.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// New, and lasting.
        public static let recorded = Outcome(rawValue: "recorded")
        /// Known already, and lasting.
        public static let duplicate = Outcome(rawValue: "duplicate")
        /// Recorded for the account it belongs to, which is another one.
        public static let belongsToAnotherAccount = Outcome(rawValue: "belongsToAnotherAccount")
        /// Not believed, or not of this app; `reason` says why.
        public static let rejected = Outcome(rawValue: "rejected")
        /// The service could not decide; the client asks again by itself.
        public static let retry = Outcome(rawValue: "retry")
        /// Not delivered yet: it waits in the outbox, also over restarts, and is sent by itself.
        public static let queued = Outcome(rawValue: "queued")
    }

    /// SHA-256 of the signed transaction in hexadecimal: names it among what was pushed.
    public let id: String
    /// The transaction, as the service read it; nil while it is queued or when it could not be read.
    public let transactionId: String?
    /// What became of it.
    public let outcome: Outcome
    /// Why, when it was rejected.
    public let reason: String?
    /// Whether the app may finish the transaction with the store now. False until the service has it for good.
    public let finish: Bool

    static func queued(_ id: String) -> PushResult {
        PushResult(id: id, transactionId: nil, outcome: .queued, reason: nil, finish: false)
    }
}

/// A signed object that the service has not answered yet.
public struct UnfinishedPush: Sendable, Hashable {
    /// SHA-256 of the signed object in hexadecimal.
    public let id: String
    /// The object as it was handed over.
    public let signed: String
    /// Whether it is a renewal info, which gets no result of its own.
    public let isRenewalInfo: Bool
}

/// How far a restore has come.
public struct RestoreProgress: Sendable, Hashable {
    /// Transactions answered.
    public let done: Int
    /// Transactions in all.
    public let total: Int
}

/// What a spend did.
public struct SpendResult: Sendable, Hashable {
    /// The balance after it, as the service says; nil if it did not say.
    public let balance: Int64?
}
