import AppStoreSimulator
import Entitlements
import Foundation
import Service
import Signatures

/// `entitled dev sign`: a purchase to try things with, or its refund.
struct SampleSigning {
    private enum Subject {
        case purchase(product: String, account: String)
        case refund(file: String)
    }

    private let subject: Subject
    private let wantsBody: Bool

    /// The words behind `sign` and the options that go with it.
    init(_ words: ArraySlice<String>, account: String?, refund: String?, wantsBody: Bool) throws {
        self.wantsBody = wantsBody
        if let refund {
            guard words.isEmpty, account == nil else {
                throw Arguments.UsageError("--refund takes product and account from the purchase in its file")
            }
            subject = .refund(file: refund)
            return
        }
        guard words.count <= 1 else { throw Arguments.UsageError("`dev sign` takes one product") }
        let account = account ?? Sample.account
        guard AccountID(account) != nil else { throw Arguments.UsageError("--account must be a UUID") }
        subject = .purchase(product: words.first ?? "pro.monthly", account: account)
    }

    func run(_ state: DevelopmentState) throws -> ExitStatus {
        guard state.exists else {
            throw CommandFailure(
                "there is nothing of `entitled dev` in \(state.directory): start it, or name its directory with --state"
            )
        }
        print(try text(signedBy: try state.authority(), at: SystemClock().now()))
        return .done
    }

    /// What is printed: a JWS, or the body of a push that holds it.
    func text(signedBy authority: SigningAuthority, at now: Milliseconds) throws -> String {
        let signed =
            switch subject {
            case .purchase(let product, let account):
                try Self.purchase(of: product, account: account, by: authority, at: now)
            case .refund(let file): try authority.sign(Sample.refund(of: Self.purchase(in: file), at: now))
            }
        return wantsBody ? Self.body(signed) : signed
    }

    /// The body of a push of one purchase.
    static func body(
        of product: String, account: String, by authority: SigningAuthority, at now: Milliseconds
    ) throws -> String {
        body(try purchase(of: product, account: account, by: authority, at: now))
    }

    private static func body(_ signed: String) -> String {
        (["signedTransactions": [.string(signed)]] as JSONValue).text
    }

    private static func purchase(
        of product: String, account: String, by authority: SigningAuthority, at now: Milliseconds
    ) throws -> String {
        guard let payload = Sample.purchase(of: product, account: account, at: now) else {
            throw CommandFailure("the sample has no product \(product): pro.monthly, pro.yearly, export or coins.100")
        }
        return try authority.sign(payload)
    }

    /// The fields of a purchase that `dev sign` wrote, as a JWS or as the body of a push.
    private static func purchase(in file: String) throws -> JSONObject {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw CommandFailure("\(file): cannot be read")
        }
        let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        let body = try? JSONValue(parsing: Array(text.utf8)).objectValue
        let signed = body?["signedTransactions"]?.arrayValue?.first?.stringValue ?? text
        guard let payload = try? CompactJWS(signed.utf8).payload(),
            let fields = try? JSONValue(parsing: payload).objectValue, fields["transactionId"] != nil
        else {
            throw CommandFailure(
                "\(file): no purchase that `entitled dev sign` printed, neither as JWS nor with --body")
        }
        return fields
    }
}
