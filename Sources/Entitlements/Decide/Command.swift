/// Something that may change streams.
public enum Command: Sendable {
    /// A device pushed; the restore is the user's explicit wish (rules.md R7.4).
    case push(account: AccountID, items: [Item], isRestore: Bool)
    /// The App Store told something.
    case notification(AdmittedNotification)
    /// A transaction that came from Apple's server or an import: nobody pushed it.
    case learned(Item, source: Event.Source)
    /// An account became known; the lineages whose tokens named it before (rules.md R7.2).
    case accountKnown(AccountID, hinted: [LineageRef])
    /// An operator gives access.
    case grant(StreamRef, GrantWish)
    /// An operator takes a grant back.
    case revokeGrant(StreamRef, id: String)
    /// The account spends (rules.md R6).
    case spend(StreamRef, Spend)
    /// The account is erased in an environment (rules.md R7).
    case erase(AccountID, Environment)
    /// An operator frees a locked lineage.
    case free(LineageRef)
    /// An operator moves a lineage.
    case transfer(LineageRef, to: AccountID)

    /// One signed object of a push.
    public enum Item: Sendable, Hashable {
        case transaction(AdmittedTransaction)
        case renewalInfo(AdmittedRenewalInfo)
    }
}

/// What became of a command, or of one item of it.
public enum Outcome: Sendable, Hashable {
    /// Stored.
    case recorded
    /// Known already; nothing changed.
    case duplicate
    /// Stored for its owner; moves nothing (rules.md R7). The reason says why a restore did not.
    case belongsToAnotherAccount(TransferRefusal?)
    /// Stored; grants nobody anything yet (rules.md R7.5).
    case unclaimed
    /// Not stored (rules.md R0).
    case rejected(Rejection)
    /// Refused; nothing changed (rules.md R6 and operators' commands).
    case refused(Refusal)

    /// Why a restore moved nothing (rules.md R7).
    public enum TransferRefusal: String, Sendable, Hashable {
        case transferPolicy, transferLimit, locked, consumable
    }

    /// Why a command was refused.
    public enum Refusal: String, Sendable, Hashable, CaseIterable {
        case insufficientBalance, idempotencyConflict, invalidAmount, grantExists, invalidPeriod, unknownGrant
        case unknownLineage, notLocked, locked, alreadyOwner, consumable
    }
}

extension Outcome: CustomStringConvertible {
    /// As case files and answers spell it.
    public var description: String {
        switch self {
        case .recorded: "recorded"
        case .duplicate: "duplicate"
        case .belongsToAnotherAccount: "belongsToAnotherAccount"
        case .unclaimed: "unclaimed"
        case .rejected(let reason): "rejected:\(reason.rawValue)"
        case .refused(let reason): reason.rawValue
        }
    }
}

/// A stream of one app.
public enum StreamRef: Sendable, Hashable {
    /// An account's.
    case account(Environment, AccountID)
    /// That of a lineage nobody owns.
    case lineage(Environment, String)
    /// The app's own: notifications about no lineage.
    case app

    /// The environment; the app's own stream has none.
    public var environment: Environment? {
        switch self {
        case .account(let environment, _), .lineage(let environment, _): environment
        case .app: nil
        }
    }

    /// Whose state it folds to; nobody's for the other streams.
    public var account: AccountID {
        if case .account(_, let account) = self { account } else { .nobody }
    }
}

/// A lineage of one app.
public struct LineageRef: Sendable, Hashable {
    /// Where it was signed.
    public var environment: Environment
    /// The `originalTransactionId`.
    public var id: String

    /// A lineage.
    public init(_ environment: Environment, _ id: String) {
        self.environment = environment
        self.id = id
    }
}

/// What the directory says of a lineage: whose streams its facts go to.
public struct LineageRecord: Sendable, Hashable {
    /// Accounts that own it or did; ascending.
    public var parties: [AccountID] = []
    /// Accounts that its tokens name and that we do not know; ascending.
    public var hints: [AccountID] = []
    /// Whether its owner was erased.
    public var isLocked = false
    /// Writes so far; 0: there is no row.
    public var version: Int64 = 0

    /// A lineage that the directory does not have.
    public init() {}
}
