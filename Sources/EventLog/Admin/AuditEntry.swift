public import Entitlements
public import FoundationEssentials

/// Something an operator did, or was refused.
public struct AuditEntry: Sendable, Hashable {
    /// The app's number.
    public var app: Int16
    /// When it began.
    public var at: Milliseconds
    /// The request's id.
    public var id: UUID
    /// Nil: in all, or in none in particular.
    public var environment: Environment?
    /// The account it is about, if it is about one that was not erased since.
    public var account: AccountID?
    /// Who: the subject of the token, or the user who ran the command.
    public var actor: String
    /// By which right: the token's scope, or `command`.
    public var scope: String
    /// What: one word.
    public var act: String
    /// Upon what: the id of a grant or a purchase, a revision. May be empty.
    public var subject: String
    /// Why, as they said. May be empty.
    public var reason: String
    /// How it ended: `done`, or the code of the refusal; empty while that is not known.
    public var outcome = ""

    /// What is about to be done.
    public init(
        app: Int16, at: Milliseconds, id: UUID, environment: Environment? = nil, account: AccountID? = nil,
        actor: String, scope: String, act: String, subject: String = "", reason: String = ""
    ) {
        self.app = app
        self.at = at
        self.id = id
        self.environment = environment
        self.account = account
        self.actor = actor
        self.scope = scope
        self.act = act
        self.subject = subject
        self.reason = reason
    }
}

/// Where to read on in the record of acts, which is read from the newest back.
public struct AuditPosition: Sendable, Hashable {
    let at: Milliseconds
    let id: UUID

    /// Behind everything.
    public static let newest = AuditPosition(at: Time.latest, id: AccountID.nobody.uuid)

    /// Behind an entry.
    public init(behind entry: AuditEntry) { self.init(at: entry.at, id: entry.id) }

    private init(at: Milliseconds, id: UUID) {
        self.at = at
        self.id = id
    }

    /// A position that was given out; nil if it is none.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", maxSplits: 1)
        guard parts.count == 2, let at = Milliseconds(parts[0]), 0...Time.latest ~= at,
            let id = UUID(uuidString: String(parts[1]))
        else { return nil }
        self.init(at: at, id: id)
    }

    /// For whoever reads on.
    public var text: String { "\(at)-\(id.uuidString.lowercased())" }
}

extension AuditEntry {
    /// For machines: api.md, `/audit`.
    public var json: JSONValue {
        [
            "at": .integer(at), "requestId": .string(id.uuidString.lowercased().filter { $0 != "-" }),
            "actor": .string(actor), "scope": .string(scope), "act": .string(act),
            "environment": JSONValue(environment?.rawValue), "account": JSONValue(account?.description),
            "subject": .string(subject), "reason": .string(reason),
            "outcome": outcome.isEmpty ? .null : .string(outcome),
        ]
    }
}
