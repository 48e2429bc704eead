public import Entitlements

/// A situation from the field with the right answer: what happens, and what must follow from it.
public struct ServerCase: Sendable {
    /// Its short name.
    public let id: String
    /// What it is about.
    public let title: String
    /// The app.
    public let catalog: Catalog
    /// Accounts by the name they have in the case.
    public let accounts: [String: AccountID]
    /// Who is known from the start (rules.md R7).
    public let known: [AccountID]
    /// What happens, in order.
    public let steps: [CaseStep]
    /// What must follow.
    public let expectations: [CaseExpectation]

    /// Reads a case. Throws `DocumentError` at the first thing in the file's own structure that is not as it must be; what
    /// the store signed may hold anything.
    public init(_ document: JSONDocument, defaults: CaseDefaults) throws(DocumentError) {
        let fields = try document.root.fields(
            required: ["id", "steps", "expect"], optional: ["title", "why", "catalog", "accounts", "known"])
        id = try fields.required("id").identifier()
        title = try fields["title"]?.text() ?? ""
        _ = try fields["why"]?.text(limit: 100_000)
        let catalog = try Self.catalog(fields["catalog"], defaults: defaults.catalog)
        var accounts = defaults.accounts
        var known = defaults.known
        if let node = fields["accounts"] {
            accounts = try CaseDefaults.accounts(node)
            known = accounts.keys.sorted()
        }
        if let node = fields["known"] { known = try CaseDefaults.known(node, among: accounts) }

        var reader = CaseStepReader(accounts: accounts)
        var steps: [CaseStep] = []
        for (index, node) in try fields.required("steps").elements(limit: CaseLimits.steps).enumerated() {
            steps.append(try reader.read(node, index: index))
        }
        let granted = catalog.products.values.flatMap(\.entitlements)
        let expectationReader = CaseExpectationReader(
            accounts: accounts, entitlements: reader.grantedEntitlements.union(granted),
            lastInstant: steps.map(\.at).max() ?? 0)
        var expectations: [CaseExpectation] = []
        for node in try fields.required("expect").expectations() {
            expectations.append(try expectationReader.read(node))
        }
        self.catalog = catalog
        self.accounts = accounts
        self.known = known.compactMap { accounts[$0] }
        self.steps = steps
        self.expectations = expectations
    }

    /// The case's own catalog; what it leaves out is as in the defaults.
    private static func catalog(_ node: JSONNode?, defaults: Catalog) throws(DocumentError) -> Catalog {
        guard let node else { return defaults }
        let fields = try node.fields(optional: ["products", "policies"])
        var catalog = defaults
        if let node = fields["products"] { catalog.products = try Product.readAll(node) }
        if let node = fields["policies"] { catalog.policies = try Policies(node, defaults: defaults.policies) }
        return catalog
    }
}
