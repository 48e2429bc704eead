/// A Swift type that can be a parameter and the value of a column, in binary format.
///
/// Conforming: `Bool`, `Int16`, `Int32`, `Int64`, `String`, `UUID`, `[UInt8]`, `PostgresTimestamp`, their optionals, and
/// one-dimensional arrays of all of these.
public protocol PostgresValue: Sendable {
    /// The type a parameter of this Swift type is declared with.
    static var postgresType: PostgresType { get }

    /// Appends the binary form and returns true, or appends nothing and returns false for NULL.
    func encode(into bytes: inout [UInt8]) -> Bool

    /// Reads the binary form; throws what was found instead.
    static func decode(_ cell: PostgresCell) throws(PostgresCell.Mismatch) -> Self
}

/// A value that is not an array and not NULL.
public protocol PostgresScalar: PostgresValue, PostgresArrayElement {
    /// The type of an array of such values.
    static var postgresArrayType: PostgresType { get }
}

/// A type whose Swift array is a `PostgresValue`.
///
/// Apart from the scalars and their optionals this is only `UInt8`, whose array is `bytea`.
public protocol PostgresArrayElement: Sendable {
    /// The type of the whole array.
    static var arrayType: PostgresType { get }

    /// Appends the binary form of the whole array.
    static func encodeArray(_ elements: [Self], into bytes: inout [UInt8])

    /// Reads the binary form of the whole array.
    static func decodeArray(_ cell: PostgresCell) throws(PostgresCell.Mismatch) -> [Self]
}

/// A column of one row, lent for the time of one decoding.
public struct PostgresCell {
    /// What was found instead of what was asked for.
    public struct Mismatch: Error {
        let found: String
    }

    /// nil is NULL.
    let bytes: UnsafeRawBufferPointer?
    let type: PostgresType
    let isBinary: Bool

    /// The bytes, if they are not NULL, have the wanted length, and are of one of these types in binary format.
    func bytes(
        as accepted: PostgresType..., length: Int? = nil
    ) throws(Mismatch) -> UnsafeRawBufferPointer {
        guard let bytes else { throw Mismatch(found: "NULL") }
        guard isBinary else { throw Mismatch(found: "\(type) in text format") }
        guard accepted.contains(type) else { throw Mismatch(found: "\(type)") }
        if let length, bytes.count != length {
            throw Mismatch(found: "\(type) of \(bytes.count) bytes instead of \(length)")
        }
        return bytes
    }
}

extension Optional: PostgresValue where Wrapped: PostgresValue {
    /// The type of the wrapped value.
    public static var postgresType: PostgresType { Wrapped.postgresType }

    /// nil is NULL.
    public func encode(into bytes: inout [UInt8]) -> Bool {
        switch self {
        case .some(let value): value.encode(into: &bytes)
        case .none: false
        }
    }

    /// NULL is nil.
    public static func decode(_ cell: PostgresCell) throws(PostgresCell.Mismatch) -> Self {
        cell.bytes == nil ? .none : .some(try Wrapped.decode(cell))
    }
}
