import COpenSSL

extension Certificate {
    /// Who it is for, as one line: `CN = …, O = …`.
    public var subject: String { Self.line(X509_get_subject_name(handle.pointer)) }

    /// Who issued it, as one line.
    public var issuer: String { Self.line(X509_get_issuer_name(handle.pointer)) }

    /// The serial number in lower-case hexadecimal.
    public var serialNumber: String {
        guard let serial = X509_get0_serialNumber(handle.pointer), let bytes = ASN1_STRING_get0_data(serial) else {
            return ""
        }
        return Hex.encode(UnsafeBufferPointer(start: bytes, count: Int(ASN1_STRING_length(serial))))
    }

    /// Whether it carries an extension with the object identifier (dotted decimal), whatever its value.
    public func hasExtension(_ identifier: String) -> Bool {
        guard let object = OBJ_txt2obj(identifier, 1) else { return false }
        defer { ASN1_OBJECT_free(object) }
        return X509_get_ext_by_OBJ(handle.pointer, object, -1) >= 0
    }

    private static func line(_ name: OpaquePointer?) -> String {
        guard let name, let bio = BIO_new(BIO_s_mem()) else { return "" }
        defer { BIO_free(bio) }
        guard COpenSSL_print_name(bio, name) >= 0 else { return "" }
        var bytes: UnsafeMutablePointer<CChar>?
        let count = COpenSSL_bio_memory(bio, &bytes)
        guard let bytes, count > 0 else { return "" }
        return bytes.withMemoryRebound(to: UInt8.self, capacity: count) {
            String(decoding: UnsafeBufferPointer(start: $0, count: count), as: UTF8.self)
        }
    }
}
