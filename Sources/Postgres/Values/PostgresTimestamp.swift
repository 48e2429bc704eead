/// A timestamptz as milliseconds since 1970 UTC, which is how all rooms count time.
///
/// Finer digits of a stored value are rounded down. `infinity` cannot be read.
public struct PostgresTimestamp: Sendable, Hashable, Comparable {
    /// Milliseconds since 1970 UTC.
    public let milliseconds: Int64

    /// Takes milliseconds since 1970 UTC.
    public init(_ milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Earlier comes first.
    public static func < (left: PostgresTimestamp, right: PostgresTimestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// PostgreSQL counts microseconds from 2000-01-01.
    private static let epoch: Int64 = 946_684_800_000

    /// What lies outside of the server's range becomes a value that the server refuses (SQLSTATE 22008), and is neither
    /// of its two infinities.
    var microseconds: Int64 {
        let (shifted, underflow) = milliseconds.subtractingReportingOverflow(Self.epoch)
        let (result, overflow) = shifted.multipliedReportingOverflow(by: 1000)
        if underflow || overflow { return milliseconds < 0 ? .min + 1 : .max - 1 }
        return result
    }
}

extension PostgresTimestamp: PostgresScalar {
    /// timestamptz
    public static var postgresType: PostgresType { .timestamptz }
    /// timestamptz[]
    public static var postgresArrayType: PostgresType { .timestamptzArray }

    /// Eight bytes.
    public func encode(into bytes: inout [UInt8]) -> Bool {
        bytes.appendBigEndian(microseconds)
        return true
    }

    /// From timestamptz.
    public static func decode(_ cell: PostgresCell) throws(PostgresCell.Mismatch) -> PostgresTimestamp {
        let microseconds: Int64 = try cell.bytes(as: .timestamptz, length: 8).bigEndian()
        if microseconds == .max || microseconds == .min {
            throw PostgresCell.Mismatch(found: "an infinite timestamptz")
        }
        let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1000)
        return PostgresTimestamp((remainder < 0 ? quotient - 1 : quotient) + epoch)
    }

    /// The whole array at once.
    public static func encodeArray(_ elements: [PostgresTimestamp], into bytes: inout [UInt8]) {
        ArrayCoding.encodeIntegers(elements.map(\.microseconds), type: postgresType, into: &bytes)
    }
}
