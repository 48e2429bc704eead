public import Entitlements
import FoundationEssentials

/// Times for people.
public enum Timestamp {
    /// `2026-06-01T10:00:10.000Z`
    public static func text(_ instant: Milliseconds) -> String {
        Date(timeIntervalSince1970: Double(instant) / 1000)
            .formatted(
                .iso8601.year().month().day().time(includingFractionalSeconds: true).timeZone(separator: .omitted))
    }
}
