import AppStoreSimulator
import Entitlements
import Foundation
import Service

/// `entitled dev sign`: a purchase to try things with.
struct SampleSigning {
    private let product: String
    private let account: String
    private let wantsBody: Bool

    /// The words behind `sign`.
    init(_ words: ArraySlice<String>, account: String?, wantsBody: Bool) throws {
        guard words.count <= 1 else { throw Arguments.UsageError("`dev sign` takes one product") }
        product = words.first ?? "pro.monthly"
        self.account = account ?? Sample.account
        self.wantsBody = wantsBody
        guard AccountID(self.account) != nil else { throw Arguments.UsageError("--account must be a UUID") }
    }

    func run(_ state: DevelopmentState) throws -> ExitStatus {
        guard state.exists else {
            throw CommandFailure("there is nothing of `entitled dev` in \(state.directory): start it first")
        }
        let authority = try state.authority()
        let now = SystemClock().now()
        if wantsBody {
            print(try Self.body(of: product, account: account, by: authority, at: now))
        } else {
            print(try Self.transaction(of: product, account: account, by: authority, at: now))
        }
        return .done
    }

    /// The body of a push of one purchase.
    static func body(
        of product: String, account: String, by authority: SigningAuthority, at now: Milliseconds
    ) throws -> String {
        let signed = try transaction(of: product, account: account, by: authority, at: now)
        return (["signedTransactions": [.string(signed)]] as JSONValue).text
    }

    private static func transaction(
        of product: String, account: String, by authority: SigningAuthority, at now: Milliseconds
    ) throws -> String {
        guard let text = try Sample.transaction(of: product, account: account, by: authority, at: now) else {
            throw CommandFailure("the sample has no product \(product): pro.monthly, pro.yearly, export or coins.100")
        }
        return text
    }
}
