import Entitlements
import Foundation
import Service
import Signatures

/// What is to be done with an account.
enum AccountAct: Sendable {
    /// A time, and what was known when.
    struct Question: Sendable {
        let at: Milliseconds
        let knownAt: Milliseconds?
    }

    case show(Question)
    case explain(Question, entitlement: String?)
    case history
    case export
    case grant(GrantWish)
    case revokeGrant(String)
    case transfer(String)
    case spend(Spend)
    case restore([String])
    case erase
    case token(lifetime: Milliseconds, KeyFile)

    /// The act of a word; takes what belongs to it out of the options.
    init(_ word: String, _ options: inout AccountOptions, state: DevelopmentState?) throws {
        switch word {
        case "show": self = .show(try options.question())
        case "explain": self = .explain(try options.question(), entitlement: options.take("--entitlement"))
        case "history": self = .history
        case "export": self = .export
        case "grant": self = .grant(try options.grant())
        case "revoke-grant": self = .revokeGrant(try options.required("--id"))
        case "transfer": self = .transfer(try options.required("--original-transaction-id"))
        case "spend": self = .spend(try options.spend())
        case "restore": self = .restore(try options.signedTransactions())
        case "erase": self = .erase
        case "token": self = .token(lifetime: try options.lifetime(), try options.keys(state))
        default:
            throw Arguments.UsageError(
                "say show, explain, history, export, grant, revoke-grant, transfer, spend, restore, erase or token, not \(word)"
            )
        }
    }
}

extension AccountAct {
    /// Whether it changes something, so that who did it is recorded.
    var isRecorded: Bool {
        switch self {
        case .show, .explain, .history, .export, .token: false
        case .grant, .revokeGrant, .transfer, .spend, .restore, .erase: true
        }
    }
}

/// What belongs to one act or another, taken out one by one.
struct AccountOptions {
    private static let names = [
        "--at", "--known-at", "--entitlement", "--from", "--until", "--id", "--reason", "--original-transaction-id",
        "--ttl", "--file", "--currency", "--amount", "--key",
    ]

    private var values: [String: String] = [:]

    init(_ arguments: inout Arguments) throws {
        for name in Self.names { values[name] = try arguments.option(name) }
    }

    /// Why, if they say.
    var reason: String? { values["--reason"] }

    mutating func take(_ name: String) -> String? { values.removeValue(forKey: name) }

    mutating func required(_ name: String, bytes limit: Int = CatalogLimits.idBytes) throws -> String {
        guard let value = try text(name, bytes: limit), !value.isEmpty else {
            throw Arguments.UsageError("give \(name)")
        }
        return value
    }

    private mutating func text(_ name: String, bytes limit: Int) throws -> String? {
        let value = take(name)
        guard value?.utf8.count ?? 0 <= limit else {
            throw Arguments.UsageError("\(name) may have \(limit) bytes at most")
        }
        return value
    }

    private mutating func instant(_ name: String) throws -> Milliseconds? {
        try take(name).map { try Arguments.instant($0, name) }
    }

    mutating func question() throws -> AccountAct.Question {
        AccountAct.Question(at: try instant("--at") ?? SystemClock().now(), knownAt: try instant("--known-at"))
    }

    mutating func grant() throws -> GrantWish {
        let (from, until) = (try instant("--from"), try instant("--until"))
        guard from.map(Time.plausible.contains) ?? true else {
            throw Arguments.UsageError("--from must lie in the years 2000 to 2100")
        }
        if let from, let until, until <= from { throw Arguments.UsageError("--until must be after --from") }
        return GrantWish(
            id: try text("--id", bytes: Grant.idBytes) ?? "grant-" + Hex.encode(try randomBytes(12)),
            entitlement: try required("--entitlement"), from: from, until: until,
            reason: try text("--reason", bytes: Grant.reasonBytes))
    }

    mutating func spend() throws -> Spend {
        let amount = try required("--amount")
        guard let number = Int64(digits: amount), number > 0 else {
            throw Arguments.UsageError("--amount must be a positive whole number, not \(amount)")
        }
        return Spend(
            currency: try required("--currency"), amount: number,
            idempotencyKey: try required("--key", bytes: Spend.keyBytes))
    }

    /// One signed transaction a line.
    mutating func signedTransactions() throws -> [String] {
        let file = try required("--file", bytes: 4096)
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
            throw Arguments.UsageError("--file \(file) cannot be read as text")
        }
        let lines = text.split { $0.isWhitespace }.map(String.init)
        guard 1...100 ~= lines.count else {
            throw Arguments.UsageError("--file \(file) must hold 1 to 100 signed transactions, one a line")
        }
        return lines
    }

    mutating func lifetime() throws -> Milliseconds {
        let time = take("--ttl") ?? "1h"
        guard let lifetime = Lifetime.parse(time) else {
            throw Arguments.UsageError("--ttl must be a number and a unit, like 45s, 30m, 1h or 7d, not \(time)")
        }
        return lifetime
    }

    mutating func keys(_ state: DevelopmentState?) throws -> KeyFile {
        let file = take("--file")
        return try state?.keys ?? KeyLocation.file(named: file)
    }

    /// Reports what the act has no use for.
    func finish(_ word: String) throws {
        if let name = values.keys.min() { throw Arguments.UsageError("\(name) does not go with \(word)") }
    }
}
