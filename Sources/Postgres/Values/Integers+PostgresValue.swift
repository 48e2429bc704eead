extension [UInt8] {
    /// Appends an integer, most significant byte first.
    mutating func appendBigEndian(_ value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }
}

extension UnsafeRawBufferPointer {
    /// Reads an integer, most significant byte first. The caller has checked the bounds.
    func bigEndian<I: FixedWidthInteger>(_ type: I.Type = I.self, at offset: Int = 0) -> I {
        I(bigEndian: loadUnaligned(fromByteOffset: offset, as: I.self))
    }
}

extension Bool: PostgresScalar {
    /// bool
    public static var postgresType: PostgresType { .bool }
    /// bool[]
    public static var postgresArrayType: PostgresType { .boolArray }

    /// One byte, 0 or 1.
    public func encode(into bytes: inout [UInt8]) -> Bool {
        bytes.append(self ? 1 : 0)
        return true
    }

    /// From bool.
    public static func decode(_ cell: PostgresCell) throws(PostgresCell.Mismatch) -> Bool {
        try cell.bytes(as: .bool, length: 1)[0] != 0
    }
}

extension Int16: PostgresScalar {
    /// int2
    public static var postgresType: PostgresType { .int2 }
    /// int2[]
    public static var postgresArrayType: PostgresType { .int2Array }

    /// Two bytes.
    public func encode(into bytes: inout [UInt8]) -> Bool {
        bytes.appendBigEndian(self)
        return true
    }

    /// From int2.
    public static func decode(_ cell: PostgresCell) throws(PostgresCell.Mismatch) -> Int16 {
        try cell.bytes(as: .int2, length: 2).bigEndian()
    }

    /// The whole array at once.
    public static func encodeArray(_ elements: [Int16], into bytes: inout [UInt8]) {
        ArrayCoding.encodeIntegers(elements, type: postgresType, into: &bytes)
    }
}

extension Int32: PostgresScalar {
    /// int4
    public static var postgresType: PostgresType { .int4 }
    /// int4[]
    public static var postgresArrayType: PostgresType { .int4Array }

    /// Four bytes.
    public func encode(into bytes: inout [UInt8]) -> Bool {
        bytes.appendBigEndian(self)
        return true
    }

    /// From int4, or from int2, which always fits.
    public static func decode(_ cell: PostgresCell) throws(PostgresCell.Mismatch) -> Int32 {
        if cell.type == .int2 { return Int32(try Int16.decode(cell)) }
        return try cell.bytes(as: .int4, length: 4).bigEndian()
    }

    /// The whole array at once.
    public static func encodeArray(_ elements: [Int32], into bytes: inout [UInt8]) {
        ArrayCoding.encodeIntegers(elements, type: postgresType, into: &bytes)
    }
}

extension Int64: PostgresScalar {
    /// int8
    public static var postgresType: PostgresType { .int8 }
    /// int8[]
    public static var postgresArrayType: PostgresType { .int8Array }

    /// Eight bytes.
    public func encode(into bytes: inout [UInt8]) -> Bool {
        bytes.appendBigEndian(self)
        return true
    }

    /// From int8, or from int4, int2 and oid, which always fit.
    public static func decode(_ cell: PostgresCell) throws(PostgresCell.Mismatch) -> Int64 {
        switch cell.type {
        case .int2, .int4: Int64(try Int32.decode(cell))
        case .oid: Int64(try cell.bytes(as: .oid, length: 4).bigEndian(UInt32.self))
        default: try cell.bytes(as: .int8, length: 8).bigEndian()
        }
    }

    /// The whole array at once.
    public static func encodeArray(_ elements: [Int64], into bytes: inout [UInt8]) {
        ArrayCoding.encodeIntegers(elements, type: postgresType, into: &bytes)
    }
}
