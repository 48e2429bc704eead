public import Entitlements

/// One question of a case and the parts of the answer that matter.
public struct CaseExpectation: Sendable {
    /// Whose view; nil where only the unclaimed lineages are asked for.
    public let account: CaseAccount?
    /// In which environment.
    public let environment: Environment
    /// The time asked about.
    public let at: Milliseconds
    /// Whether the file says `at`.
    public let namesInstant: Bool
    /// With only what was received up to then; nil asks with everything.
    public let knownAt: Milliseconds?
    /// The whole set of what is active.
    public let active: Set<String>?
    /// Fields by entitlement; nil for an entry that must not exist.
    public let entries: [(entitlement: String, fields: JSONObject?)]
    /// Balances by currency.
    public let balances: [(currency: String, amount: Int64)]
    /// The next change by time alone: an integer or null.
    public let nextChangeAt: JSONValue?
    /// Whether the store should be asked.
    public let needsReconciliation: Bool?
    /// All access by entitlement.
    public let intervals: [(entitlement: String, intervals: [Interval])]
    /// The lineages that nobody owns.
    public let unclaimed: Set<String>?
}

/// Reads expectations: names that the case cannot mean are refused, since a slip there would check nothing.
struct CaseExpectationReader {
    let accounts: [String: AccountID]
    /// What some product or operator grants in this case.
    let entitlements: Set<String>
    /// The time of a question that names none: the last step's.
    let lastInstant: Milliseconds

    private static let answers = [
        "active", "entries", "balances", "nextChangeAt", "needsReconciliation", "intervals", "unclaimed",
    ]
    private static let needInstant = ["active", "entries", "nextChangeAt"]

    func read(_ node: JSONNode) throws(DocumentError) -> CaseExpectation {
        let fields = try node.fields(optional: Self.answers + ["account", "environment", "at", "knownAt"])
        let asked = Self.answers.filter { fields[$0] != nil }
        let isAboutNothing = asked.allSatisfy { fields[$0]?.value.objectValue?.members.isEmpty ?? false }
        guard !isAboutNothing else {
            throw node.error(.missingKey, "nothing is expected; add one of \(Self.answers.joined(separator: ", "))")
        }
        let knownAt = try fields.present("knownAt")?.instant()
        let at = try fields["at"]?.instant()
        if let name = asked.first(where: Self.needInstant.contains), at == nil {
            throw node.error(.missingKey, "\"at\" is missing; \"\(name)\" depends on the time asked about")
        }
        if asked != ["unclaimed"], fields["account"] == nil {
            throw node.error(.missingKey, "\"account\" is missing; say whose view this is")
        }
        return CaseExpectation(
            account: try fields["account"].map { (node) throws(DocumentError) in try CaseAccount(node, among: accounts)
            },
            environment: try fields["environment"]?.environment() ?? .production,
            at: at ?? knownAt ?? lastInstant, namesInstant: at != nil, knownAt: knownAt,
            active: try fields["active"].map { (node) throws(DocumentError) in try active(node) },
            entries: try entries(fields["entries"]), balances: try balances(fields["balances"]),
            nextChangeAt: try fields["nextChangeAt"].map { (node) throws(DocumentError) in
                node.value == .null ? .null : .integer(try node.instant())
            },
            needsReconciliation: try fields["needsReconciliation"]?.bool(),
            intervals: try intervals(fields["intervals"]),
            unclaimed: try fields["unclaimed"].map { (node) throws(DocumentError) in try texts(node) })
    }

    private func texts(_ node: JSONNode) throws(DocumentError) -> Set<String> {
        var texts: Set<String> = []
        for element in try node.elements(limit: CaseLimits.objects) { texts.insert(try element.text()) }
        return texts
    }

    private func check(_ entitlement: String, _ node: JSONNode) throws(DocumentError) {
        guard entitlements.contains(entitlement) else {
            throw node.error(
                .unknownName, "the entitlement \"\(entitlement)\" is granted by no product and no grant of this case")
        }
    }

    private func active(_ node: JSONNode) throws(DocumentError) -> Set<String> {
        var ids: Set<String> = []
        for element in try node.elements(limit: CaseLimits.objects) {
            let id = try element.text()
            try check(id, element)
            ids.insert(id)
        }
        return ids
    }

    private func balances(_ node: JSONNode?) throws(DocumentError) -> [(currency: String, amount: Int64)] {
        var balances: [(currency: String, amount: Int64)] = []
        for (currency, node) in try node?.members(limit: CaseLimits.objects) ?? [] {
            balances.append((currency, try node.integer(in: Int64.min...Int64.max)))
        }
        return balances
    }

    private func intervals(_ node: JSONNode?) throws(DocumentError) -> [(entitlement: String, intervals: [Interval])] {
        var result: [(entitlement: String, intervals: [Interval])] = []
        for (entitlement, node) in try node?.members(limit: CaseLimits.objects) ?? [] {
            try check(entitlement, node)
            result.append((entitlement, try node.intervals()))
        }
        return result
    }

    private func entries(_ node: JSONNode?) throws(DocumentError) -> [(entitlement: String, fields: JSONObject?)] {
        var entries: [(entitlement: String, fields: JSONObject?)] = []
        for (entitlement, node) in try node?.members(limit: CaseLimits.objects) ?? [] {
            try check(entitlement, node)
            entries.append((entitlement, node.value == .null ? nil : try EntryFields.read(node)))
        }
        return entries
    }
}

/// The fields of a snapshot's entry that a case may expect.
private enum EntryFields {
    private static let instants = [
        "purchaseDate", "originalPurchaseDate", "expiresDate", "gracePeriodExpiresDate", "revocationDate",
    ]
    private static let others = [
        "isActive", "state", "productId", "productType", "willRenew", "nextProductId", "ownershipType", "offerType",
        "transactionId", "originalTransactionId", "sources", "activeIntervals", "endIsFinal",
    ]

    static func read(_ node: JSONNode) throws(DocumentError) -> JSONObject {
        let fields = try node.fields(optional: instants + others)
        var expected = JSONObject()
        for (name, node) in try node.members(limit: .max) {
            if instants.contains(name), node.value != .null {
                expected[name] = .integer(try node.instant())
            } else {
                expected[name] = node.value
            }
        }
        if let state = fields.present("state") { _ = try state.word(EntitlementEntry.State.self) }
        return expected
    }
}
