/// The binary form of arrays: dimensions, has-nulls, element type, length and lower bound, then the elements.
enum ArrayCoding {
    private static let headerSize = 20

    private static func encodeHeader(
        count: Int, type: PostgresType, hasNulls: Bool, into bytes: inout [UInt8]
    ) {
        bytes.appendBigEndian(Int32(count == 0 ? 0 : 1))
        bytes.appendBigEndian(Int32(hasNulls ? 1 : 0))
        bytes.appendBigEndian(type.rawValue)
        guard count > 0 else { return }
        // A buffer that holds 2^31 elements cannot be sent anyhow; the server refuses the clamped count.
        bytes.appendBigEndian(Int32(clamping: count))
        bytes.appendBigEndian(Int32(1))
    }

    static func encode(
        _ elements: [some PostgresValue], type: PostgresType, hasNulls: Bool, into bytes: inout [UInt8]
    ) {
        encodeHeader(count: elements.count, type: type, hasNulls: hasNulls, into: &bytes)
        for element in elements {
            let lengthAt = bytes.count
            bytes.appendBigEndian(Int32(-1))
            guard element.encode(into: &bytes) else { continue }
            let length = Int32(clamping: bytes.count - lengthAt - 4)
            bytes.withUnsafeMutableBytes { $0.storeBytes(of: length.bigEndian, toByteOffset: lengthAt, as: Int32.self) }
        }
    }

    /// Appends share most of their parameters' time here, so the room is made once and filled in place.
    static func encodeIntegers<I: FixedWidthInteger>(
        _ elements: [I], type: PostgresType, into bytes: inout [UInt8]
    ) {
        encodeHeader(count: elements.count, type: type, hasNulls: false, into: &bytes)
        let width = MemoryLayout<I>.size
        var offset = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: elements.count * (4 + width)))
        bytes.withUnsafeMutableBytes { buffer in
            for element in elements {
                buffer.storeBytes(of: Int32(width).bigEndian, toByteOffset: offset, as: Int32.self)
                buffer.storeBytes(of: element.bigEndian, toByteOffset: offset + 4, as: I.self)
                offset += 4 + width
            }
        }
    }

    static func decode<V: PostgresValue>(
        _ cell: PostgresCell, type: PostgresType
    ) throws(PostgresCell.Mismatch) -> [V] {
        let bytes = try cell.bytes(as: type)
        func broken(_ what: String) -> PostgresCell.Mismatch {
            PostgresCell.Mismatch(found: "\(cell.type) \(what)")
        }
        guard bytes.count >= 12 else { throw broken("without a header") }
        let dimensions: Int32 = bytes.bigEndian()
        if dimensions == 0 { return [] }
        guard dimensions == 1 else { throw broken("of \(dimensions) dimensions") }
        guard bytes.count >= headerSize else { throw broken("without a length") }
        let elementType = PostgresType(rawValue: bytes.bigEndian(at: 8))
        let count = Int(bytes.bigEndian(Int32.self, at: 12))
        // Each element has at least its length word, so a false count cannot make us reserve much.
        guard count >= 0, count <= (bytes.count - headerSize) / 4 else { throw broken("of a false length") }
        var values: [V] = []
        values.reserveCapacity(count)
        var offset = headerSize
        for _ in 0..<count {
            guard bytes.count - offset >= 4 else { throw broken("cut short") }
            let length = Int(bytes.bigEndian(Int32.self, at: offset))
            offset += 4
            guard length <= bytes.count - offset else { throw broken("cut short") }
            let element = length < 0 ? nil : UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length])
            values.append(try V.decode(PostgresCell(bytes: element, type: elementType, isBinary: true)))
            offset += max(length, 0)
        }
        return values
    }
}
