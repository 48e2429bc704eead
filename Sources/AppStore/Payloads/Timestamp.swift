public import Entitlements
import FoundationEssentials

/// Times for people.
public enum Timestamp {
    /// `2026-06-01T10:00:10.000Z`
    public static func text(_ instant: Milliseconds) -> String {
        // A Double of seconds would lose the last millisecond now and then, so they are written apart.
        let (seconds, milliseconds) = instant.flooredDivision(by: 1000)
        let text = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
        return "\(text.dropLast()).\(String(milliseconds + 1000).dropFirst())Z"
    }
}

extension Int64 {
    /// Quotient rounded down and a remainder that is never negative.
    fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
