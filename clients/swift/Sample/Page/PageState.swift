import EntitledClient
import Entitlements
import Foundation

/// What the paywall page shows at one time, as the page's script reads it.
struct PageState {
    /// A line of the page.
    struct Line {
        let id: String
        /// `active`, `inactive`, `unknown`.
        let access: String
        let text: String
        /// Short words beside it: family shared, stale.
        var badges: [String] = []
    }

    var lines: [Line]
    var balances: [(currency: String, amount: Int64)] = []
    /// Products whose purchase waits for an approval.
    var pending: [String] = []
    /// How the client stands to the service.
    var connection: String
    var isOnline: Bool
    /// How long the answers are good for; nil while nothing is known.
    var limit: String?

    var json: JSONValue {
        func texts(_ list: [String]) -> JSONValue { .array(list.map { .string($0) }) }
        return [
            "lines": .array(
                lines.map {
                    [
                        "id": .string($0.id), "access": .string($0.access), "text": .string($0.text),
                        "badges": texts($0.badges),
                    ]
                }),
            "balances": .array(balances.map { ["currency": .string($0.currency), "amount": .integer($0.amount)] }),
            "pending": texts(pending), "connection": .string(connection), "isOnline": .bool(isOnline),
            "limit": JSONValue(limit),
        ]
    }
}

extension PageState {
    /// What a client says now. `extra` is shown even if the account has no entry of it.
    init(_ view: AccountView, _ status: ConnectionStatus, extra: [String]) {
        let known = view.snapshot?.entitlements.map(\.id) ?? []
        lines = (known + extra.filter { !known.contains($0) }).map { id in
            Line(view.answer(for: id), of: id, entry: view.snapshot?[id])
        }
        balances = (view.snapshot?.balances ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        pending = view.pending.map(\.productId)
        connection = Wording.connection(status)
        isOnline = status == .live || status == .reading
        if let now = view.trustedTime, let end = view.offlineLimit { limit = Wording.limit(end, now: now) }
    }
}

extension PageState.Line {
    init(_ answer: EntitlementAnswer, of id: String, entry: EntitlementEntry?) {
        let end = entry?.activeIntervals.last?.end ?? entry?.expiresDate
        var badges = Wording.flags(answer.flags).map { Self.badges[$0] ?? $0 }
        if entry?.ownershipType == .familyShared { badges.insert("family shared", at: 0) }
        let text = Self.text(answer, end: end, willRenew: entry?.willRenew)
        self.init(id: id, access: answer.access.rawValue, text: text, badges: badges)
    }

    private static let badges = [
        "assumedRenewal": "renewal assumed", "clockRolledBack": "clock was set back", "stale": "stale",
    ]

    private static func text(_ answer: EntitlementAnswer, end: Milliseconds?, willRenew: Bool?) -> String {
        let date = end.flatMap { $0 == Interval.forever ? nil : Self.date($0) }
        switch (answer.access, date) {
        case (.unknown, _): return "not known yet: the service was never reached"
        case (.active, nil): return "yours for good"
        case (.active, let date?):
            if answer.flags.contains(.assumedRenewal) { return "should have renewed on \(date)" }
            return (willRenew == true ? "renews on " : "ends on ") + date
        case (.inactive, nil): return "not bought"
        case (.inactive, let date?): return "expired on \(date)"
        }
    }

    private static func date(_ instant: Milliseconds) -> String {
        Date(timeIntervalSince1970: Double(instant) / 1000).formatted(
            Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day())
    }
}
