public import Entitlements

/// One thing that happens in a case.
public struct CaseStep: Sendable {
    /// What happens.
    public enum Action: Sendable {
        /// A verified notification; `data.transaction` and `data.renewalInfo` are decoded payloads.
        case notification(JSONObject)
        /// A device hands over what it has; decoded payloads.
        case push(CaseAccount, transactions: [JSONObject], renewalInfos: [JSONObject])
        /// The user's explicit wish to have it here; decoded payloads.
        case restore(CaseAccount, transactions: [JSONObject], renewalInfos: [JSONObject])
        /// A debit from a balance.
        case spend(CaseAccount, Environment, Spend)
        /// An operator gives access; no `from` is from this step.
        case grant(CaseAccount, Environment, id: String, entitlement: String, from: Milliseconds?, until: Milliseconds?)
        /// An operator takes a grant back.
        case revokeGrant(id: String)
        /// An account authenticates for the first time.
        case known(CaseAccount)
        /// An account is erased.
        case erase(CaseAccount)
    }

    /// Its place among the steps, from 0.
    public let index: Int
    /// When the service receives it.
    public let at: Milliseconds
    /// What happens.
    public let action: Action
    /// The outcomes expected, in order; nil when the case does not say.
    public let answers: [String]?

    /// What kind of step it is, as the file spells it.
    public var kind: String {
        switch action {
        case .notification: "notification"
        case .push: "push"
        case .restore: "restore"
        case .spend: "spend"
        case .grant: "grant"
        case .revokeGrant: "revokeGrant"
        case .known: "known"
        case .erase: "erase"
        }
    }
}

/// Reads steps one after the other: none is before the one before it, a grant's id must be new, and be known when it is taken
/// back.
struct CaseStepReader {
    let accounts: [String: AccountID]
    private var lastInstant: Milliseconds = 0
    private(set) var grantIds: Set<String> = []
    /// What operators give in this case: may be expected although no product grants it.
    private(set) var grantedEntitlements: Set<String> = []

    private static let kinds = ["notification", "push", "restore", "spend", "grant", "revokeGrant", "known", "erase"]

    init(accounts: [String: AccountID]) { self.accounts = accounts }

    mutating func read(_ node: JSONNode, index: Int) throws(DocumentError) -> CaseStep {
        let fields = try node.fields(required: ["at"], optional: Self.kinds + ["answers"])
        let present = Self.kinds.filter { fields[$0] != nil }
        guard let kind = present.first, present.count == 1 else {
            throw node.error(
                .missingKey, "a step does exactly one thing; write one of \(Self.kinds.joined(separator: ", "))")
        }
        let at = try instant(fields.required("at"))
        return CaseStep(
            index: index, at: at, action: try action(kind, fields.required(kind), at: at),
            answers: try fields["answers"].map { (node) throws(DocumentError) in
                try CaseAnswers.read(node, of: kind)
            })
    }

    private mutating func instant(_ node: JSONNode) throws(DocumentError) -> Milliseconds {
        let instant = try node.instant()
        guard instant >= lastInstant else {
            throw node.error(
                .outOfRange,
                "this step is received before the one above it, at \(Time.text(lastInstant)); steps are replayed in the "
                    + "order written, so put it first or mend its time")
        }
        lastInstant = instant
        return instant
    }

    private mutating func action(
        _ kind: String, _ node: JSONNode, at: Milliseconds
    ) throws(DocumentError) -> CaseStep.Action {
        switch kind {
        case "notification": return .notification(try notification(node))
        case "push":
            let (account, transactions, renewalInfos) = try handedOver(node)
            return .push(account, transactions: transactions, renewalInfos: renewalInfos)
        case "restore":
            let (account, transactions, renewalInfos) = try handedOver(node)
            return .restore(account, transactions: transactions, renewalInfos: renewalInfos)
        case "spend": return try spend(node)
        case "grant": return try grant(node, at: at)
        case "revokeGrant":
            let id = try node.fields(required: ["id"]).required("id")
            guard grantIds.contains(try id.identifier()) else {
                throw id.error(.unknownName, "no step before this one gives a grant of this id")
            }
            return .revokeGrant(id: try id.identifier())
        case "known": return .known(try account(node.fields(required: ["account"])))
        default: return .erase(try account(node.fields(required: ["account"])))
        }
    }

    private func account(_ fields: JSONFields) throws(DocumentError) -> CaseAccount {
        try CaseAccount(fields.required("account"), among: accounts)
    }

    private func handedOver(_ node: JSONNode) throws(DocumentError) -> (CaseAccount, [JSONObject], [JSONObject]) {
        let fields = try node.fields(required: ["account"], optional: ["transactions", "renewalInfos"])
        guard fields["transactions"] != nil || fields["renewalInfos"] != nil else {
            throw node.error(.missingKey, "nothing is handed over; add \"transactions\"")
        }
        func objects(_ name: String) throws(DocumentError) -> [JSONObject] {
            var objects: [JSONObject] = []
            for element in try fields[name]?.elements(limit: CaseLimits.objects) ?? [] {
                objects.append(expandingToken(try element.object()))
            }
            return objects
        }
        return (try account(fields), try objects("transactions"), try objects("renewalInfos"))
    }

    /// Only what the format itself says is looked at: what Apple signs may hold anything (rules.md R8).
    private func notification(_ node: JSONNode) throws(DocumentError) -> JSONObject {
        var notification = try node.object()
        guard var data = notification["data"]?.objectValue else { return notification }
        for name in ["transaction", "renewalInfo"] {
            if let object = data[name]?.objectValue { data[name] = .object(expandingToken(object)) }
        }
        notification["data"] = .object(data)
        return notification
    }

    /// `"appAccountToken": "A1"` stands for that account's UUID; any other text is what the store signed.
    private func expandingToken(_ object: JSONObject) -> JSONObject {
        guard let name = object["appAccountToken"]?.stringValue, let account = accounts[name] else { return object }
        var object = object
        object["appAccountToken"] = .string(account.description)
        return object
    }

    private func spend(_ node: JSONNode) throws(DocumentError) -> CaseStep.Action {
        let fields = try node.fields(
            required: ["account", "currency", "amount", "idempotencyKey"], optional: ["environment"])
        let spend = Spend(
            currency: try fields.required("currency").identifier(),
            amount: try fields.required("amount").integer(in: 1...CatalogLimits.creditAmount),
            idempotencyKey: try fields.required("idempotencyKey").text(limit: Spend.keyBytes))
        return .spend(try account(fields), try fields["environment"]?.environment() ?? .production, spend)
    }

    private mutating func grant(_ node: JSONNode, at: Milliseconds) throws(DocumentError) -> CaseStep.Action {
        let fields = try node.fields(
            required: ["account", "entitlement", "id"], optional: ["from", "until", "environment", "reason"])
        let id = try fields.required("id").identifier(limit: Grant.idBytes)
        guard grantIds.insert(id).inserted else {
            throw try fields.required("id").error(
                .duplicate, "another step gives a grant of this id; choose another one")
        }
        let entitlement = try fields.required("entitlement").identifier()
        grantedEntitlements.insert(entitlement)
        let from = try fields.present("from")?.instant()
        let until = try fields.present("until")?.instant()
        if let from, !Time.plausible.contains(from), let node = fields["from"] {
            throw node.error(.outOfRange, "\(Time.text(from)) is outside the years 2000 to 2100, where grants begin")
        }
        if let until, until <= from ?? at, let node = fields["until"] {
            let beginning = from == nil ? "its step" : "\"from\""
            throw node.error(
                .outOfRange,
                "the grant ends before it begins; write a time after \(beginning), \(Time.text(from ?? at))")
        }
        return .grant(
            try account(fields), try fields.present("environment")?.environment() ?? .production, id: id,
            entitlement: entitlement, from: from, until: until)
    }
}
