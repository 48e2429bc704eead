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
        var lines = ["service: \(Self.words(for: status))"]
        let ids = ids(of: view)
        if view.snapshot == nil { lines.append("nothing is known yet: every answer is unknown") }
        if view.snapshot != nil, ids.isEmpty { lines.append("the account has no entitlement") }
        for id in ids {
            let answer = view.answer(for: id)
            let flags = Self.sorted(answer.flags).map { " [\($0)]" }.joined()
            lines.append("  \(id): \(answer.access.rawValue)\(flags)\(details(view.snapshot?[id], answer))")
        }
        for (currency, amount) in (view.snapshot?.balances ?? [:]).sorted(by: { $0.key < $1.key }) {
            lines.append("  \(currency): \(amount)")
        }
        if let now = view.trustedTime, let limit = view.offlineLimit {
            lines.append(
                limit > now
                    ? "without the service these answers are good for \(Self.duration(limit - now))"
                    : "stale: the offline limit was reached \(Self.duration(now - limit)) ago")
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
            let flags = Self.sorted(answer.flags).map { JSONValue.string($0) }
            entitlements[id] = ["answer": .string(answer.access.rawValue), "flags": .array(flags)]
        }
        var balances = JSONObject()
        for (currency, amount) in view.snapshot?.balances ?? [:] { balances[currency] = .integer(amount) }
        let line: JSONValue = [
            "status": .string(status.rawValue), "known": .bool(view.snapshot != nil),
            "version": JSONValue(view.snapshot?.version), "entitlements": .object(entitlements),
            "balances": .object(balances), "trustedTime": JSONValue(view.trustedTime),
            "offlineLimit": JSONValue(view.offlineLimit),
        ]
        return line.text
    }

    private static func sorted(_ flags: Set<EntitlementAnswer.Flag>) -> [String] { flags.map(\.rawValue).sorted() }

    private static func words(for status: ConnectionStatus) -> String {
        switch status {
        case .stopped: "not started"
        case .connecting: "connecting"
        case .live: "live, changes arrive by themselves"
        case .waiting: "busy, trying again soon"
        case .offline: "not reached, trying again"
        case .signedOut: "the token is not taken: sign in again"
        case .reading: "another process asks it, this one reads"
        }
    }

    private static func duration(_ milliseconds: Milliseconds) -> String {
        let seconds = milliseconds / 1000
        let (days, hours, minutes) = (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60)
        if days > 0 { return "\(days) d \(hours) h" }
        if hours > 0 { return "\(hours) h \(minutes) min" }
        return minutes > 0 ? "\(minutes) min \(seconds % 60) s" : "\(seconds) s"
    }
}
