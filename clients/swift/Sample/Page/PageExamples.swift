import EntitledClient

/// Made-up states, so that all that the page can look like can be looked at.
enum PageExamples {
    static let all: [(title: String, state: PageState)] = [
        ("renews", PageState(lines: [pro("renews on 2026-07-01")], balances: [("coins", 120)], live: true)),
        (
            "expired",
            PageState(lines: [.init(id: "pro", access: "inactive", text: "expired on 2026-06-01")], live: true)
        ),
        ("family shared", PageState(lines: [pro("renews on 2026-07-01", ["family shared"])], live: true)),
        ("offline", PageState(lines: [pro("should have renewed on 2026-06-03", ["renewal assumed"])], live: false)),
        (
            "stale",
            PageState(
                lines: [pro("ends on 2026-12-01", ["stale"])], live: false,
                limit: "stale: the offline limit was reached 2 d 4 h ago")
        ),
        (
            "pending",
            PageState(
                lines: [.init(id: "pro", access: "inactive", text: "not bought")], pending: ["pro.y"], live: true)
        ),
        (
            "unknown",
            PageState(
                lines: [.init(id: "pro", access: "unknown", text: "not known yet: the service was never reached")],
                live: false, limit: nil)
        ),
    ]

    private static func pro(_ text: String, _ badges: [String] = []) -> PageState.Line {
        .init(id: "pro", access: "active", text: text, badges: badges)
    }
}

extension PageState {
    fileprivate init(
        lines: [Line], balances: [(String, Int64)] = [], pending: [String] = [], live: Bool,
        limit: String? = "without the service these answers are good for 2 d 23 h"
    ) {
        self.init(
            lines: lines, balances: balances.map { (currency: $0.0, amount: $0.1) }, pending: pending,
            connection: Wording.connection(live ? .live : .offline), isOnline: live, limit: limit)
    }
}
