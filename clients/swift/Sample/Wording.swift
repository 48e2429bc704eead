import EntitledClient
import Entitlements
import Foundation

/// What the terminal and the page say in the same words.
enum Wording {
    static func connection(_ status: ConnectionStatus) -> String {
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

    static func duration(_ milliseconds: Milliseconds) -> String {
        let seconds = milliseconds / 1000
        let (days, hours, minutes) = (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60)
        if days > 0 { return "\(days) d \(hours) h" }
        if hours > 0 { return "\(hours) h \(minutes) min" }
        return minutes > 0 ? "\(minutes) min \(seconds % 60) s" : "\(seconds) s"
    }

    /// How long the answers are good for, or since when they are not.
    static func limit(_ limit: Milliseconds, now: Milliseconds) -> String {
        limit > now
            ? "without the service these answers are good for \(duration(limit - now))"
            : "stale: the offline limit was reached \(duration(now - limit)) ago"
    }

    static func flags(_ flags: Set<EntitlementAnswer.Flag>) -> [String] { flags.map(\.rawValue).sorted() }
}
