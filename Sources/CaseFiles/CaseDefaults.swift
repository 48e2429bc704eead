public import Entitlements

/// What a case falls back to where it says nothing itself: the file `defaults.json` beside it.
public struct CaseDefaults: Sendable {
    /// Catalog and policies.
    public let catalog: Catalog
    /// Accounts by the name they have in the case.
    public let accounts: [String: AccountID]
    /// Names of the accounts that are known from the start (rules.md R7).
    public let known: [String]

    /// Reads a defaults file. Throws `DocumentError`.
    public init(_ document: JSONDocument) throws(DocumentError) {
        catalog = try Catalog(document)
        let fields = try document.root.fields(
            required: ["bundleId", "accounts", "catalog"], optional: ["appAppleId", "known"])
        let accounts = try Self.accounts(fields.required("accounts"))
        self.accounts = accounts
        known =
            try fields.present("known").map { (node) throws(DocumentError) in
                try Self.known(node, among: accounts)
            } ?? accounts.keys.sorted()
    }

    /// Reads `accounts`: UUIDs by name. Two names of one account are refused.
    static func accounts(_ node: JSONNode) throws(DocumentError) -> [String: AccountID] {
        var accounts: [String: AccountID] = [:]
        for (name, node) in try node.members(limit: CaseLimits.accounts) {
            let text = try node.text()
            guard let account = AccountID(text) else {
                throw node.error(.invalidValue, "\"\(text)\" is no UUID of an account; the zero UUID names nobody")
            }
            if let other = accounts.first(where: { $0.value == account }) {
                throw node.error(
                    .duplicate, "\"\(name)\" and \"\(other.key)\" are the same account; give each its own UUID")
            }
            accounts[name] = account
        }
        return accounts
    }

    /// Reads `known`: names among `accounts`.
    static func known(_ node: JSONNode, among accounts: [String: AccountID]) throws(DocumentError) -> [String] {
        var names: [String] = []
        for element in try node.elements(limit: CaseLimits.accounts) {
            names.append(try CaseAccount(element, among: accounts).name)
        }
        return names
    }
}

/// What a case file may hold at most.
enum CaseLimits {
    static let accounts = 10_000
    static let steps = 100_000
    static let objects = 1000
    static let expectations = 100_000
}

/// An account as a case names it.
public struct CaseAccount: Sendable, Hashable {
    /// Its name in the case.
    public let name: String
    /// Who it is.
    public let id: AccountID

    init(_ node: JSONNode, among accounts: [String: AccountID]) throws(DocumentError) {
        let name = try node.text()
        guard let id = accounts[name] else {
            throw node.error(
                .unknownName,
                "\"\(name)\" is no account of this case; \"accounts\" names \(accounts.keys.sorted().joined(separator: ", "))"
            )
        }
        self.name = name
        self.id = id
    }
}
