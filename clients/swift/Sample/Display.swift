import EntitledClient
import Entitlements
import Foundation

/// Turns a view into text for a terminal, or into a line of JSON.
struct Display {
    let extra: [String]
    let asJSON: Bool

    func text(_ view: AccountView, _ status: ConnectionStatus) -> String {
        asJSON ? json(view, status) : lines(view, status).joined(separator: "\n")
    }

    private func ids(of view: AccountView) -> [String] {
        let known = view.snapshot?.entitlements.map(\.id) ?? []
        return known + extra.filter { !known.contains($0) }
    }

    private func lines(_ view: AccountView, _ status: ConnectionStatus) -> [String] {
        var lines = ["service: \(Wording.connection(status))"]
        let ids = ids(of: view)
        if view.snapshot == nil { lines.append("nothing is known yet: every answer is unknown") }
        if view.snapshot != nil, ids.isEmpty { lines.append("the account has no entitlement") }
        for id in ids {
            let answer = view.answer(for: id)
            let flags = Wording.flags(answer.flags).map { " [\($0)]" }.joined()
            lines.append("  \(id): \(answer.access.rawValue)\(flags)\(details(view.snapshot?[id], answer))")
        }
        for (currency, amount) in (view.snapshot?.balances ?? [:]).sorted(by: { $0.key < $1.key }) {
            lines.append("  \(currency): \(amount)")
        }
        for purchase in view.pending { lines.append("  \(purchase.productId): waits for an approval") }
        if let now = view.trustedTime, let limit = view.offlineLimit {
            lines.append(Wording.limit(limit, now: now))
        }
        return lines
    }

    private func details(_ entry: EntitlementEntry?, _ answer: EntitlementAnswer) -> String {
        guard let entry else { return "" }
        var words = [entry.productId, entry.ownershipType == .familyShared ? "family shared" : nil].compactMap(\.self)
        if let end = entry.activeIntervals.last?.end, end != Interval.forever {
            let date = Date(timeIntervalSince1970: Double(end) / 1000)
            words.append((entry.willRenew == true ? "renews on " : "ends on ") + date.formatted(.iso8601))
        }
        return words.isEmpty ? "" : "  (\(words.joined(separator: ", ")))"
    }

    private func json(_ view: AccountView, _ status: ConnectionStatus) -> String {
        var entitlements = JSONObject()
        for id in ids(of: view) {
            let answer = view.answer(for: id)
            let flags = Wording.flags(answer.flags).map { JSONValue.string($0) }
            entitlements[id] = ["answer": .string(answer.access.rawValue), "flags": .array(flags)]
        }
        var balances = JSONObject()
        for (currency, amount) in view.snapshot?.balances ?? [:] { balances[currency] = .integer(amount) }
        let line: JSONValue = [
            "status": .string(status.rawValue), "known": .bool(view.snapshot != nil),
            "version": JSONValue(view.snapshot?.version), "entitlements": .object(entitlements),
            "balances": .object(balances), "pending": .array(view.pending.map { .string($0.productId) }),
            "trustedTime": JSONValue(view.trustedTime),
            "offlineLimit": JSONValue(view.offlineLimit),
        ]
        return line.text
    }
}
