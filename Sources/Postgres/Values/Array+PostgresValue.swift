extension Array: PostgresValue where Element: PostgresArrayElement {
    /// The element's array type; bytea for `[UInt8]`.
    public static var postgresType: PostgresType { Element.arrayType }

    /// One dimension, lower bound 1.
    public func encode(into bytes: inout [UInt8]) -> Bool {
        Element.encodeArray(self, into: &bytes)
        return true
    }

    /// From an array of one dimension or none.
    public static func decode(_ cell: PostgresCell) throws(PostgresCell.Mismatch) -> [Element] {
        try Element.decodeArray(cell)
    }
}

extension UInt8: PostgresArrayElement {
    /// bytea
    public static var arrayType: PostgresType { .bytea }

    /// The bytes themselves.
    public static func encodeArray(_ elements: [UInt8], into bytes: inout [UInt8]) {
        bytes.append(contentsOf: elements)
    }

    /// From bytea.
    public static func decodeArray(_ cell: PostgresCell) throws(PostgresCell.Mismatch) -> [UInt8] {
        Array(try cell.bytes(as: .bytea))
    }
}

extension Array: PostgresArrayElement where Element == UInt8 {}

extension Array: PostgresScalar where Element == UInt8 {
    /// bytea[]
    public static var postgresArrayType: PostgresType { .byteaArray }
}

extension PostgresScalar {
    /// The scalar's array type.
    public static var arrayType: PostgresType { postgresArrayType }

    /// Element by element.
    public static func encodeArray(_ elements: [Self], into bytes: inout [UInt8]) {
        ArrayCoding.encode(elements, type: postgresType, hasNulls: false, into: &bytes)
    }

    /// A NULL element is a mismatch.
    public static func decodeArray(_ cell: PostgresCell) throws(PostgresCell.Mismatch) -> [Self] {
        try ArrayCoding.decode(cell, type: postgresArrayType)
    }
}

extension Optional: PostgresArrayElement where Wrapped: PostgresScalar {
    /// The scalar's array type.
    public static var arrayType: PostgresType { Wrapped.postgresArrayType }

    /// nil becomes a NULL element.
    public static func encodeArray(_ elements: [Self], into bytes: inout [UInt8]) {
        ArrayCoding.encode(
            elements, type: Wrapped.postgresType, hasNulls: elements.contains { $0 == nil }, into: &bytes)
    }

    /// A NULL element becomes nil.
    public static func decodeArray(_ cell: PostgresCell) throws(PostgresCell.Mismatch) -> [Self] {
        try ArrayCoding.decode(cell, type: Wrapped.postgresArrayType)
    }
}
