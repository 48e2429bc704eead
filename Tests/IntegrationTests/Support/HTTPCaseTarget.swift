import AppStoreSimulator
import CaseFiles
import Entitlements
import Foundation
import Service

/// Replays a case over HTTP, with data signed by the tests' own authority.
struct HTTPCaseTarget: CaseTarget {
    let fixture: ServiceFixture
    let clock: ManualClock

    mutating func apply(_ step: CaseStep) async throws -> [String] {
        clock.set(step.at)
        switch step.action {
        case .notification(let payload):
            let answer = try await fixture.client.send(
                "POST", "\(fixture.base)/notifications/appstore",
                body: ["signedPayload": .string(try signedNotification(payload))])
            return [answer.json["outcome"]?.stringValue ?? Self.rejection(answer)]
        case .push(let account, let transactions, let renewalInfos):
            return try await push("transactions", account, transactions, renewalInfos)
        case .restore(let account, let transactions, let renewalInfos):
            return try await push("restore", account, transactions, renewalInfos)
        case .spend(let account, let environment, let spend):
            return try await word(
                fixture.client.send(
                    "POST",
                    "\(path(account))/balances/\(spend.currency)/spend?environment=\(environment)",
                    token: try fixture.deviceToken(account.id),
                    body: ["amount": .integer(spend.amount), "idempotencyKey": .string(spend.idempotencyKey)]))
        case .grant(let account, let environment, let id, let entitlement, let from, let until):
            return try await word(
                fixture.client.send(
                    "POST", "\(path(account))/grants?environment=\(environment)", token: try fixture.token(.support),
                    body: [
                        "id": .string(id), "entitlement": .string(entitlement), "from": JSONValue(from),
                        "until": JSONValue(until),
                    ]))
        case .revokeGrant(let id):
            return try await word(
                fixture.client.send("DELETE", "\(fixture.base)/grants/\(id)", token: try fixture.token(.support)))
        case .known(let account):
            return try await word(
                fixture.client.send("PUT", path(account), token: try fixture.token(.backend)))
        case .erase(let account):
            return try await word(
                fixture.client.send("POST", "\(path(account))/erase", token: try fixture.token(.admin)))
        }
    }

    private func path(_ account: CaseAccount) -> String { "\(fixture.base)/accounts/\(account.id)" }

    private func word(_ answer: HTTPClient.Answer) -> [String] {
        [answer.status < 300 ? "ok" : answer.json["code"]?.stringValue ?? "status \(answer.status)"]
    }

    /// Problem codes in the words of the case format.
    private static func rejection(_ answer: HTTPClient.Answer) -> String {
        switch answer.json["code"]?.stringValue {
        case "otherApp": "rejected:bundleId"
        case "environmentNotServed": "rejected:environment"
        case "rejectedSignedData": "rejected:malformed"
        case let code: code ?? "status \(answer.status)"
        }
    }

    private func push(
        _ call: String, _ account: CaseAccount, _ transactions: [JSONObject], _ renewalInfos: [JSONObject]
    ) async throws -> [String] {
        let answer = try await fixture.client.send(
            "POST", "\(path(account))/\(call)", token: try fixture.deviceToken(account.id),
            body: [
                "signedTransactions": .array(try transactions.map { .string(try authority.sign($0)) }),
                "signedRenewalInfos": .array(try renewalInfos.map { .string(try authority.sign($0)) }),
            ])
        guard let results = answer.json["results"]?.arrayValue else { return word(answer) }
        return results.map { result in
            let outcome = result.objectValue?["outcome"]?.stringValue ?? "no outcome"
            let reason = result.objectValue?["reason"]?.stringValue
            return outcome == "rejected" ? "rejected:\(reason ?? "")" : outcome
        }
    }

    mutating func snapshot(
        account: AccountID, environment: Environment, at: Milliseconds, knownAt: Milliseconds?
    ) async throws -> JSONObject {
        let known = knownAt.map { "&knownAt=\($0)" } ?? ""
        let answer = try await fixture.client.send(
            "GET", "\(fixture.base)/accounts/\(account)/entitlements?environment=\(environment)&at=\(at)\(known)",
            token: try fixture.token(.support))
        return answer.json["snapshot"]?.objectValue ?? answer.json
    }

    mutating func unclaimed(environment: Environment, knownAt: Milliseconds?) async throws -> [String] {
        let answer = try await fixture.client.send(
            "GET", "\(fixture.base)/unclaimed?environment=\(environment)&limit=1000", token: try fixture.token(.support)
        )
        return answer.json["unclaimed"]?.arrayValue?.compactMap(\.stringValue) ?? []
    }
}
