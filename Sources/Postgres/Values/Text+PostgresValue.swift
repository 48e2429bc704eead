public import FoundationEssentials

extension String: PostgresScalar {
    /// text
    public static var postgresType: PostgresType { .text }
    /// text[]
    public static var postgresArrayType: PostgresType { .textArray }

    /// UTF-8. The server refuses a text that holds U+0000 (SQLSTATE 22021).
    public func encode(into bytes: inout [UInt8]) -> Bool {
        bytes.append(contentsOf: utf8)
        return true
    }

    /// From text, varchar, char, name, json; and from the text format of any type, which scripts answer with.
    public static func decode(_ cell: PostgresCell) throws(PostgresCell.Mismatch) -> String {
        let bytes: UnsafeRawBufferPointer
        if !cell.isBinary, let text = cell.bytes {
            bytes = text
        } else {
            bytes = try cell.bytes(as: .text, .varchar, .bpchar, .name, .json, .unknown)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw PostgresCell.Mismatch(found: "\(cell.type) that is not UTF-8")
        }
        return text
    }
}

extension UUID: PostgresScalar {
    /// uuid
    public static var postgresType: PostgresType { .uuid }
    /// uuid[]
    public static var postgresArrayType: PostgresType { .uuidArray }

    /// Sixteen bytes.
    public func encode(into bytes: inout [UInt8]) -> Bool {
        withUnsafeBytes(of: uuid) { bytes.append(contentsOf: $0) }
        return true
    }

    /// From uuid.
    public static func decode(_ cell: PostgresCell) throws(PostgresCell.Mismatch) -> UUID {
        UUID(uuid: try cell.bytes(as: .uuid, length: 16).loadUnaligned(as: uuid_t.self))
    }
}
